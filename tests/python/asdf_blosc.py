"""Decodes the chunks of Blosc in a folder, and says what their elements add up to."""

import json
from pathlib import Path

import blosc2
import numpy as np

sums = {}
for path in sorted(Path(".").glob("*.bin")):
    decoded = blosc2.decompress2(path.read_bytes())
    sums[path.name] = int(np.frombuffer(decoded, "<i8").sum())
print(json.dumps(sums))
