"""Writes structs as C lays them out, by numpy's own rule for it, and what is in them as JSON."""

import json

import numpy

point = numpy.dtype([("x", "f4"), ("good", "?")], align=True)
sample = numpy.dtype(
    [("kind", "i1"), ("value", "f8"), ("channel", "i2", 3), ("point", point), ("stamp", "i8")],
    align=True,
)
samples = numpy.zeros(5, sample)
for i in range(5):
    samples[i] = (-i, i * 0.3, [i, 2 * i, -3 * i], (i / 2, i % 2), 10**15 + i)
with open("samples.bin", "wb") as file:
    numpy.array(len(samples), "i8").tofile(file)
    samples.tofile(file)
print(
    json.dumps(
        {
            "size": sample.itemsize,
            "kind": samples["kind"].tolist(),
            "value": samples["value"].tolist(),
            "channel": samples["channel"].tolist(),
            "x": samples["point"]["x"].tolist(),
            "good": samples["point"]["good"].tolist(),
            "stamp": samples["stamp"].tolist(),
        }
    )
)
