"""Writes texts.nc: characters of netCDF-4, dimensions without variables, and texts that are declared as ASCII and are not."""

import h5py
import netCDF4
import numpy as np

with netCDF4.Dataset("texts.nc", "w") as file:
    file.createDimension("n", 2)
    file.createDimension("letters", 8)
    for name, encoding in [("plain", None), ("utf8", "utf-8"), ("latin1", "latin1")]:
        variable = file.createVariable(name, "S1", ("n", "letters"))
        if encoding:
            variable.setncattr_string("_Encoding", encoding)
        variable.set_auto_chartostring(False)
        texts = [text.encode(encoding or "utf-8").ljust(8, b"\0") for text in ("café", "Zürich")]
        variable[:] = np.array([[bytes([byte]) for byte in text] for text in texts])
    file.createVariable("letter", "S1", ())[...] = b"x"
with h5py.File("texts.nc", "r+") as file:
    for name, texts in {
        "address": "Société".encode(),
        "degrees": np.array([b"5 \xb0C", b"6 \xb0C"]),
        "names": np.array([text.encode() for text in ("Ærø", "Fyn")]),
        "ascii": np.array([b"one", b"three"]),
    }.items():
        kind = h5py.string_dtype("ascii", len(texts) if isinstance(texts, bytes) else texts.dtype.itemsize)
        file.create_dataset(name, data=np.array(texts, kind), dtype=kind)
    kind = np.dtype([("n", "S5"), ("v", "i4"), ("m", "S2", 2)])
    file.create_dataset("record", data=np.array([("Ærø".encode(), 1, [b"a", b"b"]), (b"Fyn", 2, [b"c", b"d"])], kind))
