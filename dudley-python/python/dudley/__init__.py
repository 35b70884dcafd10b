"""Read and write binary scientific data.

`open` opens a file of any format that Dudley knows: its own streams, ASDF, Blosc2, netCDF-3, HDF5, FITS, PDB, arrays of
numpy and more. What is in a file is a dict of arrays, dicts, lists and values:

>>> import dudley, numpy as np, os, tempfile
>>> path = os.path.join(tempfile.mkdtemp(), "run.bd")
>>> dudley.write(path, {"rho": np.ones((3, 4)), "mesh": {"x": np.arange(4.0)}}, units={"/rho": "g/cc"})
>>> f = dudley.open(path)
>>> f["rho"]
<Array "/rho": <f8, shape (3, 4), unit "g/cc">
>>> f["/mesh/x[1:3]"][:]
array([1., 2.])
"""

from collections.abc import Mapping as _Mapping
from collections.abc import Sequence as _Sequence
from typing import TYPE_CHECKING as _TYPE_CHECKING

from ._errors import (
    BadIndex,
    BadValue,
    Closed,
    DataError,
    Error,
    FileError,
    LayoutError,
    NotFound,
    UnknownFormat,
)
from ._native import Array, Dict, File, List, open

if _TYPE_CHECKING:
    from ._command import convert, diff, to_kerchunk
    from ._create import Append, Writer, append, create
    from ._family import Family, FamilyArray, family
    from ._write import write

__all__ = [
    "Append",
    "Array",
    "BadIndex",
    "BadValue",
    "Closed",
    "DataError",
    "Dict",
    "Error",
    "Family",
    "FamilyArray",
    "File",
    "FileError",
    "LayoutError",
    "List",
    "NotFound",
    "UnknownFormat",
    "Writer",
    "append",
    "convert",
    "create",
    "diff",
    "family",
    "open",
    "to_kerchunk",
    "write",
]

#: What is imported when it is first used: numpy takes ten times as long to import as all of this.
_LATER = {
    "Append": "_create",
    "Writer": "_create",
    "append": "_create",
    "create": "_create",
    "convert": "_command",
    "diff": "_command",
    "family": "_family",
    "Family": "_family",
    "FamilyArray": "_family",
    "to_kerchunk": "_command",
    "write": "_write",
}


def __getattr__(name: str) -> object:
    if name not in _LATER:
        raise AttributeError(f"module 'dudley' has no attribute {name!r}")
    from importlib import import_module

    found: object = getattr(import_module(f"dudley.{_LATER[name]}"), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted(__all__)


_Mapping.register(Dict)
_Sequence.register(List)
