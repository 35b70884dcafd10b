"""Says what a module answers to calls of `open` that cannot be right, a line for each."""

import sys

sys.path.insert(0, ".")

import refused  # noqa: E402

stream = bytes([2, 1, 2, 1, 5, 2, 6, 7, 3, 9])
calls = [
    {"base": -8},
    {"base": 11},
    {"order": "middle"},
    {"params": {"N": "a"}},
    {"params": {"M": 1}},
    {"params": {"/l/0/n": 2}},
    {"params": {"/s/m": 2}},
    {"params": {"/l/0/k": 2}},
    {"order": "big", "params": {"/N": 1}},
]
for call in calls:
    try:
        found = refused.open(stream, raw=True, **call).params["N"]
    except Exception as error:
        found = f"{type(error).__name__}: {error.args[0]}"
    print(found)
