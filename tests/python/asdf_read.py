"""Reads ASDF files with all checks, and says what is in their mapping `arrays`.

The values go to standard output as JSON: for each file its arrays by their paths, each with its shape, its
type and its values, as `asdf_matrix.py` gives them. Any warning is an error.
"""

import json
import sys
import warnings

import asdf
import numpy

warnings.simplefilter("error")


def plain(value):
    """A value as JSON has it."""
    if isinstance(value, (list, tuple, numpy.ndarray)):
        return [plain(item) for item in (value.tolist() if hasattr(value, "tolist") else value)]
    if isinstance(value, bytes):
        return value.decode("ascii")
    if isinstance(value, complex):
        return {"re": plain(value.real), "im": plain(value.imag)}
    if isinstance(value, float) and (value != value or value in (float("inf"), float("-inf"))):
        return repr(value)
    if isinstance(value, numpy.generic):
        return plain(value.item())
    return value


def copied(value):
    """Lists and mappings as JSON has them."""
    if hasattr(value, "items"):
        return {key: copied(item) for key, item in value.items()}
    return [copied(item) for item in value] if hasattr(value, "append") else value


def array(value):
    """What is said of an array."""
    # Asked for all elements, an array with a mask comes with it.
    read = value[...]
    values = read.tolist()
    if read.size > 100_000:
        return {"shape": list(read.shape), "dtype": str(read.dtype), "sum": int(read.sum())}
    return {"shape": list(read.shape), "dtype": str(read.dtype), "values": plain(values)}


def main():
    found = {}
    for name in sys.argv[1:]:
        with asdf.open(name, validate_checksums=True, memmap="memmap" in name) as file:
            found[name] = {path: array(value) for path, value in file["arrays"].items()}
            if "texts" in file.tree:
                found[name]["texts"] = copied(file["texts"])
    json.dump(found, sys.stdout)


main()
