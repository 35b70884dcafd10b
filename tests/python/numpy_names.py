"""Says which names a module has for the values of items and columns."""

import sys

sys.path.insert(0, ".")

import named  # noqa: E402

stream = named.open(bytes([1, 7, 2, 0, 1]))
print(stream.item("phase").names, stream.item("l[:]/k").names, stream.item("rest").names)
print([stream.item("phase").names.get(int(it)) for it in stream["phase"]])
