"""Files of any format as datasets of xarray: `xarray.open_dataset(path, engine="dudley")`."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from typing import Any

import numpy as np
import xarray as xr
from xarray.backends import BackendArray, BackendEntrypoint
from xarray.core import indexing

from . import _native
from ._errors import BadValue

#: Names that other engines of xarray take as their own.
OF_OTHERS = (".nc", ".nc4", ".cdf", ".h5", ".hdf5", ".zarr")


class LazyArray(BackendArray):
    """An array of a file. In another process the file is opened again by its path."""

    def __init__(self, source: object, options: dict[str, Any], path: str, array: _native.Array) -> None:
        self._source, self._options, self._path = source, options, path
        self._array: _native.Array | None = array
        self.shape, self.dtype = array.shape, np.dtype(array.dtype)

    def __getstate__(self) -> dict[str, Any]:
        if isinstance(self._source, bytes):
            raise TypeError("bytes in memory cannot be pickled as a file")
        return {**self.__dict__, "_array": None}

    def __dask_tokenize__(self) -> tuple[Any, ...]:
        changed = os.stat(self._source).st_mtime_ns if isinstance(self._source, str) else None
        return ("dudley", self._source, changed, sorted(map(str, self._options.items())), self._path)

    def __getitem__(self, key: indexing.ExplicitIndexer) -> Any:
        return indexing.explicit_indexing_adapter(key, self.shape, indexing.IndexingSupport.BASIC, self._get)

    def _get(self, key: tuple[Any, ...]) -> Any:
        if self._array is None:
            found = _native.open(self._source, **self._options)[self._path]
            assert isinstance(found, _native.Array)
            self._array = found
        picked = self._array[key]
        if isinstance(picked, np.ma.MaskedArray):
            picked = picked.filled(np.nan)
        return np.asarray(picked)


def _dims(array: _native.Array, name: str) -> tuple[str, ...]:
    """Names of dimensions: `JMAX-` is `JMAX_m1`, `JMAX+` is `JMAX_p1`; one without a name is of the array alone."""
    found: list[str] = []
    for at, said in enumerate(array.dims):
        signs = re.fullmatch(r"(.*?)(-+|\++)", said or "")
        if not said:
            dim = f"{name}_dim{at}"
        elif signs:
            dim = f"{signs[1]}_{'m' if signs[2][0] == '-' else 'p'}{len(signs[2])}"
        else:
            dim = re.sub(r"\W+", "_", said).strip("_") or f"{name}_dim{at}"
        while dim in found:
            dim += "_"
        found.append(dim)
    return tuple(found)


def _attrs(item: Any) -> dict[str, Any]:
    attrs = {name: value for name, value in item.attrs.items() if name != "dims"}
    doc = getattr(item, "doc", "")
    if getattr(item, "unit", None):
        attrs.setdefault("units", item.unit)
    if doc:
        attrs.setdefault("long_name" if isinstance(item, _native.Array) else "description", doc)
    return attrs


def _arrays(of: _native.Dict) -> Iterator[tuple[str, _native.Array]]:
    """The arrays of a dict, and of its lists of dicts the columns."""
    for name, item in of.items():
        if isinstance(item, _native.Array):
            yield name, item
        elif isinstance(item, _native.List) and len(item) and isinstance(item[0], _native.Dict):
            for column in item[0]:
                try:
                    found = item[column]
                except (LookupError, ValueError):
                    continue
                if isinstance(found, _native.Array):
                    yield f"{name}_{column}" if column in of else column, found


def _dataset(source: object, options: dict[str, Any], file: _native.Dict, group: str) -> xr.Dataset:
    where = file if group in ("", "/") else file["/" + group.strip("/")]
    if not isinstance(where, _native.Dict):
        raise BadValue(f"`{group}` is no dict: a group of a dataset is one", path=group)
    variables: dict[str, xr.Variable] = {}
    sizes: dict[str, int] = {}
    for name, array in _arrays(where):
        dims = _dims(array, name)
        if "[:]" in array.path:
            # A column has the records of its list in front.
            owner = array.path.split("[:]")[0].rsplit("/", 1)[-1].strip('"')
            dims = (owner, *dims[1:])
        # Two lengths of one name are two dimensions.
        dims = tuple(
            dim if sizes.setdefault(dim, size) == size else f"{name}_{dim}"
            for dim, size in zip(dims, array.shape, strict=True)
        )
        lazy = indexing.LazilyIndexedArray(LazyArray(source, options, array.path, array))
        variables[name] = xr.Variable(dims, lazy, _attrs(array))
    attrs = {**where.params, **_attrs(where)}
    coords = [name for name, variable in variables.items() if variable.dims == (name,)]
    dataset = xr.Dataset({name: it for name, it in variables.items() if name not in coords}, attrs=attrs)
    return dataset.assign_coords({name: variables[name] for name in coords})


def _groups(of: _native.Dict, path: str = "/") -> Iterator[str]:
    yield path
    for name, item in of.items():
        if isinstance(item, _native.Dict):
            yield from _groups(item, f"{path.rstrip('/')}/{name}")


class DudleyBackend(BackendEntrypoint):
    """Opens what `dudley.open` opens."""

    description = "Open streams of Dudley, ASDF, Blosc2, netCDF-3, FITS, PDB and arrays of numpy with dudley"
    open_dataset_parameters = ("filename_or_obj", "drop_variables", "group", "layout", "params", "raw", "order", "base")
    supports_groups = True

    def open_dataset(
        self,
        filename_or_obj: Any,
        *,
        mask_and_scale: bool = True,
        decode_times: bool = True,
        concat_characters: bool = True,
        decode_coords: bool = True,
        drop_variables: Any = None,
        use_cftime: Any = None,
        decode_timedelta: Any = None,
        group: str = "/",
        **options: Any,
    ) -> xr.Dataset:
        """A dict of a file as a dataset; `group` is its path."""
        source, file = self._open(filename_or_obj, options)
        dataset = _dataset(source, {"threads": 1, **options}, file, group)
        decoded = xr.decode_cf(
            dataset,
            mask_and_scale=mask_and_scale,
            decode_times=decode_times,
            concat_characters=concat_characters,
            decode_coords=decode_coords,
            drop_variables=drop_variables,
            use_cftime=use_cftime,
            decode_timedelta=decode_timedelta,
        )
        if isinstance(source, str):
            decoded.encoding["source"] = source
        return decoded

    def open_groups_as_dict(self, filename_or_obj: Any, **options: Any) -> dict[str, xr.Dataset]:
        """Each dict of a file as a dataset."""
        own: dict[str, Any] = {name: options[name] for name in ("layout", "params", "raw", "order", "base") if name in options}
        _, file = self._open(filename_or_obj, own)
        return {group: self.open_dataset(filename_or_obj, group=group, **options) for group in _groups(file)}

    def open_datatree(self, filename_or_obj: Any, **options: Any) -> xr.DataTree:
        """All dicts of a file as a tree of datasets."""
        return xr.DataTree.from_dict(self.open_groups_as_dict(filename_or_obj, **options))

    def guess_can_open(self, filename_or_obj: Any) -> bool:
        """Whether it is of a format that is known, and of none that other engines take as theirs."""
        if not isinstance(filename_or_obj, (str, os.PathLike)):
            return False
        path = os.fspath(filename_or_obj)
        if path.lower().endswith(OF_OTHERS) or not os.path.exists(path):
            return False
        try:
            _native.open(path)
        except Exception:
            return False
        return True

    @staticmethod
    def _open(filename_or_obj: Any, options: dict[str, Any]) -> tuple[object, _native.File]:
        if isinstance(filename_or_obj, (str, os.PathLike)):
            source: object = os.path.abspath(os.fspath(filename_or_obj))
        elif isinstance(filename_or_obj, bytes):
            source = filename_or_obj
        else:
            source = filename_or_obj.read()
        return source, _native.open(source, **{"threads": 1, **options})
