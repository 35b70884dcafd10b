"""Asks the modules of layouts for the shapes of items, whatever the stream has of these.

Prints how many were asked for, then a line for each that is not as expected.
"""

import importlib
import json
import pathlib
import sys

sys.path.insert(0, ".")

count = 0
for path in sorted(pathlib.Path(".").glob("*.json")):
    case = json.loads(path.read_text())
    module = importlib.import_module(path.stem)
    root = module.open(path.with_suffix(".bin"), raw=True, order="<")
    for row in case["items"]:
        count += 1
        shape = root.item(row["path"]).shape
        found = None if any(isinstance(dim, module.Fault) for dim in shape) else list(shape)
        if found != row.get("shape"):
            line = next(line for line in case["layout"].split("\n") if line.startswith(row["path"][1:]))
            print(f"{path.stem}: `{line}` is {found}, not {row.get('shape')}")
print(count)
