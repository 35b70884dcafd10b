"""Prints, for each module, what reading a path of its stream gives, with and without comparing constants."""

import importlib
import json
import sys
import warnings

sys.path.insert(0, ".")
warnings.simplefilter("ignore")
with open("cases.json") as file:
    cases = json.load(file)
for name, path, data in cases:
    module = importlib.import_module(name)
    for check in (True, False):
        try:
            print(module.open(bytes(data), raw=True, const_check=check).item(path).tolist())
        except module.StreamError:
            print("StreamError")
