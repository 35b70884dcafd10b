"""Reads all arrays of a stream with numpy alone, from the addresses that `dudc ls` lists, and says as
JSON what is in them; and whether an `.npy` file holds a given part of one.

radhydro.py LISTING STREAM [NPY PATH SLICE]
"""

import json
import sys

import numpy

listing_name, stream_name, *rest = sys.argv[1:]
with open(listing_name, encoding="utf-8") as file:
    listing = json.load(file)
data = numpy.memmap(stream_name, dtype="u1", mode="r")


def array(item):
    # Units of UTF-8 are bytes, which numpy has no type for.
    text = item["dtype"] == "|U1"
    dtype = "u1" if text else item["dtype"]
    found = numpy.ndarray(
        item["shape"], dtype, buffer=data, offset=item["address"], strides=item.get("strides")
    )
    return found.tobytes().rstrip(b"\0").decode() if text else found


found = {}
for item in listing["items"]:
    for part in item.get("members", [item]):
        found[part["path"]] = array(part)
print(json.dumps({path: it if isinstance(it, str) else it.tolist() for path, it in found.items()}))

if rest:
    npy, path, part = rest
    expected = eval(f"it[{part}]", {"it": found[path]})
    loaded = numpy.load(npy)
    assert loaded.dtype == expected.dtype, (loaded.dtype, expected.dtype)
    assert numpy.array_equal(loaded, expected), (loaded, expected)
