"""Says which names a module has for the values of items and columns."""

import sys

sys.path.insert(0, ".")

import named  # noqa: E402

stream = named.open(bytes([1, 7, 1, 0, 0, 2, 0, 9]))
print(stream.item("phase").names, stream.item("l[:]/k").names, stream.item("rest").names)
print([stream.item("phase").names.get(int(it)) for it in stream["phase"]])
print(stream.params.names("P"), stream.params.names("l/1/Q"), stream.params.names("/N"))
print(stream.l.column("Q").names, stream.item("l[:]/:Q").names)
