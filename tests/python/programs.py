"""Runs the programs of a list in JSON, and prints what each has found, as JSON."""

import json
import sys

import numpy as np


def plain(value):
    """Lists of numbers; a complex one as a pair, a record as an object."""
    if isinstance(value, str):
        return value
    value = np.asarray(value)
    if value.dtype.names:
        names = value.dtype.names
        return [{name: plain(one[name]) for name in names} for one in value.reshape(-1)]
    if value.dtype.kind == "c":
        value = np.stack([value.real, value.imag], -1)
    return value.tolist()


found = []
with open(sys.argv[1], encoding="utf-8") as file:
    programs = json.load(file)
for program in programs:
    names = {}
    exec(program, names)
    made = [name for name in names if name not in ("np", "file", "__builtins__")]
    found.append(plain(names[made[0]]))
print(json.dumps(found))
