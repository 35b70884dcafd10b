"""Writes an ASDF file of arrays, and what is in it and where as JSON."""

import json
import sys

import asdf
import numpy

temperature = numpy.arange(12, dtype="<f8").reshape(3, 4) / 8 + 250
counts = numpy.array([1, -2, 300, -400, 32767], ">i2")
large = numpy.arange(1000, dtype="<i4") % 17

file = asdf.AsdfFile({"temperature": temperature, "counts": counts, "large": large})
file.set_array_compression(large, "zlib")
file.write_to("arrays.asdf", pad_blocks=True)

# The addresses are looked up in the file itself, by its magic number: no asdf is needed for that.
with open("arrays.asdf", "rb") as stream:
    content = stream.read()
blocks = []
at = content.index(b"\n...\n") + 5
while (at := content.find(b"\xd3BLK", at)) >= 0:
    header = int.from_bytes(content[at + 4 : at + 6], "big")
    allocated = int.from_bytes(content[at + 14 : at + 22], "big")
    used = int.from_bytes(content[at + 22 : at + 30], "big")
    blocks.append({"at": at, "data": at + 6 + header, "allocated": allocated, "used": used})
    at += 6 + header + allocated
print(
    json.dumps(
        {
            "temperature": temperature.tolist(),
            "counts": counts.tolist(),
            "large": large.astype("<i4").tobytes().hex(),
            "blocks": blocks,
        }
    )
)
