"""Writes attributes.h5: attributes that a layout cannot have as they are, and references."""

import h5py
import numpy as np

with h5py.File("attributes.h5", "w", libver="latest") as file:
    x = file.create_dataset("x", data=np.arange(3.0))
    said = x.attrs
    said["matrix"] = np.arange(6).reshape(2, 3)
    said["complex"] = 1 + 2j
    said["large"] = np.uint64(2**63 + 5)
    said["boolean"] = True
    said["nan"] = float("nan")
    said["mixed"] = [1.0, float("nan")]
    said["empty"] = h5py.Empty("f4")
    said["nothing"] = np.zeros(0)
    said["struct"] = np.array((1, 2.0), dtype=[("a", "i4"), ("b", "f8")])
    said["reference"] = x.ref
    file.create_dataset("references", data=np.array([x.ref, file.ref]), dtype=h5py.ref_dtype)
    said["opaque"] = np.void(b"abc")
    ragged = np.array([np.arange(3), np.arange(2)], dtype=object)
    said.create("ragged", ragged, dtype=h5py.vlen_dtype("i4"))
    said.create("colour", 5, dtype=h5py.enum_dtype({"RED": 0, "BLUE": 5}))
