"""Reads arrays in blocks through a module, and prints them."""

import json
import sys

import numpy as np

sys.path.insert(0, ".")
import blocks

stream = blocks.open("blocks.bin")
for path in sys.argv[1:]:
    name, *rest = path[1:].split("/")
    found = stream[name]
    for part in rest:
        found = found[int(part) if part.isdecimal() else part]
    print(path, json.dumps(np.asarray(found).tolist()))
print(stream.item("rho").item(1).shape, stream.item("rho").value.dtype.str)
