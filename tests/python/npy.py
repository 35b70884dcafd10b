"""Writes arrays of records and of bytes by numpy, and what is in them as JSON."""

import json

import numpy

dtype = numpy.dtype(
    [("id", "<i4"), ("energy", "<f8"), ("position", "<f4", 3), ("hits", ">u2"), ("label", "S5")]
)
events = numpy.zeros(7, dtype)
for i in range(7):
    events[i] = (i - 3, i / 8 + 0.1, [i, i + 0.5, -i], 60000 + i, f"e{i}")
numpy.save("events.npy", events)
pixels = numpy.arange(200, dtype="u1")[::-1].copy()
numpy.save("pixels.npy", pixels)
fields = {name: events[name].tolist() for name in ("id", "energy", "position", "hits")}
print(json.dumps(fields | {"pixels": pixels.tolist()}))
