"""`python -m dudley`: the commands of `dudc`."""

import sys

from ._native import main

sys.exit(main(["dudc", *sys.argv[1:]]))
