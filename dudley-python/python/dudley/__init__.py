"""Read and write binary scientific data.

`open` opens a file of any format that Dudley knows: its own streams, ASDF, Blosc2, netCDF-3, FITS, PDB, arrays of
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

from ._create import Append, Writer, append, create
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
    "File",
    "FileError",
    "LayoutError",
    "List",
    "NotFound",
    "UnknownFormat",
    "Writer",
    "append",
    "create",
    "open",
    "write",
]

from collections.abc import Mapping as _Mapping
from collections.abc import Sequence as _Sequence

_Mapping.register(Dict)
_Sequence.register(List)
