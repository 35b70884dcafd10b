"""Says of columns of a history what they are, and whether they are views of the stream."""

import sys

import numpy as np

sys.path.insert(0, ".")

import history  # noqa: E402

stream = history.open("history.bin")
for name in ("t", "step", ":step", "at/k", "x", "text"):
    whole = stream.hist.column(name)
    parts = list(whole.parts(whole.numbers))
    value = stream.hist[name]
    one = all(hasattr(part, "address") for part in parts)
    shared = np.shares_memory(value, stream.hist.item(0).item("t").source.data)
    print(name, value.tolist(), f"{len(parts)} at once" if one else "one by one", "view" if shared else "copy")
print(stream["/hist[1:]/:step"].tolist(), stream.params["hist/2/step"])
print(stream.rows["a"].tolist(), stream.rows["b"].tolist(), stream.rows.column("").value.dtype.names)
print(stream.sized["n"].tolist(), stream.sized["v"].tolist())
for list_, name in (("hist", "no"), ("rows", "no")):
    try:
        stream[list_][name]
    except KeyError as error:
        print(error)
