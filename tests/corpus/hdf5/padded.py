"""Writes structs with bytes at their end that no alignment gives: `python padded.py`."""

import h5py
import numpy as np

names = ["a", "b"]
one = np.dtype({"names": names, "formats": ["<i4", ">f8"], "offsets": [0, 4], "itemsize": 37})
two = np.dtype({"names": ["p", "q"], "formats": ["u1", one], "offsets": [0, 3], "itemsize": 43})
x = np.zeros(3, one)
x["a"], x["b"] = [1, 2, 3], [0.5, 1.5, 2.5]
with h5py.File("padded.h5", "w") as f:
    f["x"] = x
    f["y"] = np.zeros(2, two)
