"""Reads updated ASDF files: all of their numbers and arrays, with their digests checked.

For each file of the folder goes to standard output, as JSON, what it holds: the number `count`, of each array
at the top its length and its sum, and what the library warned of. The first argument, `strict`, lets a warning
be an error.
"""

import json
import sys
import warnings
from pathlib import Path

import asdf
import numpy

STRICT = sys.argv[1:] == ["strict"]


def contents(path):
    """What a file holds."""
    with warnings.catch_warnings(record=not STRICT) as caught:
        warnings.simplefilter("error" if STRICT else "always")
        with asdf.open(path, validate_checksums=True) as file:
            arrays = {}
            for name, value in file.tree.items():
                if isinstance(value, asdf.tags.core.NDArrayType):
                    value = numpy.array(value)
                    total = value.astype("f8").sum() if value.dtype.kind in "iufb" else 0.0
                    arrays[name] = [int(value.size), float(total)]
            count = file.tree.get("count")
    return {"count": count, "arrays": arrays, "warnings": [str(one.message) for one in caught or []]}


result = {}
for path in sorted(Path(".").glob("**/*.asdf")):
    try:
        result[str(path)] = contents(path)
    except Exception as error:  # noqa: BLE001
        result[str(path)] = {"error": f"{type(error).__name__}: {error}"}
print(json.dumps(result))
