"""Lists of dicts, and arrays of structs, as DataFrames of pandas."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pandas as pd

from ._errors import BadValue
from ._native import Array, Dict, List


def _columns(name: str, array: np.ndarray[Any, Any]) -> dict[str, Any]:
    """A column for each element of a row."""
    if array.dtype.names:
        found: dict[str, Any] = {}
        for field in array.dtype.names:
            found.update(_columns(f"{name}.{field}" if name else field, array[field]))
        return found
    if array.ndim == 1:
        values = array.filled(np.nan) if isinstance(array, np.ma.MaskedArray) and array.dtype.kind in "fc" else array
        # pandas has the byte order of the machine alone; what is masked in other types is None.
        return {name: pd.array(array.tolist()) if isinstance(values, np.ma.MaskedArray) else values.astype(values.dtype.newbyteorder("="))}
    cells = array.reshape(array.shape[0], -1)
    at = np.ndindex(*array.shape[1:])
    return {f"{name}[{', '.join(map(str, index))}]": cells[:, number] for number, index in enumerate(at)}


def frame(item: Array | List) -> pd.DataFrame:
    """A row for each dict of a list, or each struct of an array; arrays in them are a column for each element."""
    columns: dict[str, Any] = {}
    units: dict[str, str] = {}
    if isinstance(item, Array):
        if item.ndim != 1:
            raise BadValue(f"`{item.path}` has {item.ndim} dimensions: a table is made of one", path=item.path)
        columns = _columns("" if item.dtype.names else item.name, item.read())
        return pd.DataFrame(columns)
    if len(item) and not isinstance(item[0], Dict):
        raise BadValue(f"`{item.path}` is no list of dicts", path=item.path)
    for name in item[0] if len(item) else ():
        try:
            column = item[name]
        except (LookupError, ValueError) as error:
            warnings.warn(f"`{item.path}[:]/{name}` is left out of the table: {error}", stacklevel=2)
            continue
        if not isinstance(column, Array):
            warnings.warn(f"`{item.path}[:]/{name}` is left out of the table: it is no array", stacklevel=2)
            continue
        found = _columns(name, column.read())
        columns.update(found)
        if column.unit:
            units.update(dict.fromkeys(found, column.unit))
    table = pd.DataFrame(columns)
    if units:
        table.attrs["units"] = units
    return table
