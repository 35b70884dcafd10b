"""Files of any format as datasets of xarray: `xarray.open_dataset(path, engine="dudley")`, and datasets as files:
`ds.dudley.to_file("x.bd")`."""

from __future__ import annotations

import os
import re
import warnings
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import partial
from typing import Any

import numpy as np
import xarray as xr
from xarray.backends import BackendArray, BackendEntrypoint
from xarray.core import indexing

from . import _native
from ._errors import BadValue, Error

#: What `dudley.open` is given of the options of xarray.
OPTIONS = ("layout", "params", "raw", "order", "base", "mmap")
#: Names that other engines of xarray take as their own.
OF_OTHERS = (".nc", ".nc4", ".cdf", ".h5", ".hdf5", ".zarr")
#: Values of a list that become an attribute.
LONGEST = 100
#: Attributes that say how the elements lie in the file, which are in the array.
OF_FILES = ("dims", *_native.OF_STORAGE)
#: The attribute that has the types of others in a file that has such: "f4 scale_factor".
TYPES = "attribute_types"
#: Attributes that are elements of their array, for which layouts have a text if they are no numbers.
OF_ELEMENTS = ("_FillValue", "missing_value")

#: Attributes that have the type of their array, unless the file says another one.
OF_TYPE = ("valid_min", "valid_max", "valid_range", "actual_range", "flag_values", "flag_masks")
#: Attributes of layouts about values, which datasets of this engine have as well.
OF_VALUES = ("names", "values", "atol", "rtol", "ulp")


class LazyArray(BackendArray):
    """An array of a file. In another process the file is opened again by its path."""

    def __init__(self, source: object, options: dict[str, Any], array: _native.Array) -> None:
        self._source, self._options, self._path = source, options, array.path
        self._array: _native.Array | None = array
        self.dtype = _dtype(array)
        self.shape = array.shape

    def __getstate__(self) -> dict[str, Any]:
        if isinstance(self._source, bytes):
            raise TypeError("bytes in memory cannot be pickled as a file")
        return {**self.__dict__, "_array": None}

    def __dask_tokenize__(self) -> tuple[Any, ...]:
        is_path = isinstance(self._source, str) and os.path.exists(self._source)
        changed = os.stat(str(self._source)).st_mtime_ns if is_path else None
        return ("dudley", self._source, changed, sorted(map(str, self._options.items())), self._path)

    def __getitem__(self, key: indexing.ExplicitIndexer) -> Any:
        return indexing.explicit_indexing_adapter(key, self.shape, indexing.IndexingSupport.BASIC, self._get)

    def _get(self, key: tuple[Any, ...]) -> Any:
        if self._array is None:
            found = _native.open(self._source, **self._options)[self._path]
            assert isinstance(found, _native.Array)
            self._array = _stored(found)
        picked = self._array[key]
        if self.dtype == self._array.dtype and not self._array.is_masked:
            return np.asarray(picked)
        return _filled(picked, self.dtype, self._path)


def _stored(array: _native.Array) -> _native.Array:
    """An array as files of netCDF have it: as long as its dimensions, and of texts the characters, which xarray puts together."""
    array = _whole(array)
    characters = array._characters()
    return array if characters is None else characters


def _whole(array: _native.Array) -> _native.Array:
    """An array in its shape in netCDF, which may be stored shorter than its dimensions are."""
    longer = array._in_netcdf()
    return array if longer is None else longer


def _dtype(array: _native.Array) -> np.dtype[Any]:
    """The type of an array in a dataset: with masked elements one that has a value for what has none."""
    own = array.dtype
    if re.match(r"vlen [<>|]?[^<>|SU]", array.dtype_name or ""):
        raise BadValue(f"`{array.path}` has sequences that differ in length, which are no array", path=array.path)
    if not array.is_masked or own.kind in "fcmM":
        return own
    if own.kind in "iub":
        return np.dtype("f8")
    if own.kind in "USO":
        return np.dtype(object)
    raise BadValue(f"`{array.path}` has masked elements of the type {own}, which has no value for them", path=array.path)


def _filled(picked: Any, of: np.dtype[Any], path: str) -> np.ndarray[Any, Any]:
    """Elements with the value of a type instead of the masked ones."""
    mask = np.ma.getmaskarray(picked)
    stored = np.ma.getdata(picked)
    converted = np.array(stored, of)
    if stored.dtype.kind in "iu":
        # What is no longer what it was would be a wrong value. 2^63 in f8 is no i8.
        fits = np.abs(converted) < 2.0**63 if stored.dtype.kind == "i" else converted < 2.0**64
        back = np.where(fits, converted, 0).astype(stored.dtype)
        if not np.all(mask | (fits & (back == stored))):
            raise BadValue(f"`{path}` has masked elements, and integers that are no exact `f8`", path=path)
    converted[mask] = {"m": np.timedelta64("NaT"), "M": np.datetime64("NaT"), "O": None}.get(of.kind, np.nan)
    return converted


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
    """What is said of an array or a dict, as xarray has it of netCDF files: a list of one value is this value."""
    is_array = isinstance(item, _native.Array)
    attrs: dict[str, Any] = {}
    types = item.attrs.get(TYPES, [])
    pairs = [of.split(" ", 1) for of in ([types] if isinstance(types, str) else types)]
    types = {name: kind for kind, name in pairs}
    for name, value in item.attrs.items():
        if is_array and name in OF_FILES or name == TYPES:
            continue
        if isinstance(value, list) and len(value) == 1:
            value = value[0]
        if is_array and name in OF_ELEMENTS and isinstance(value, str):
            if item.dtype.kind in "fc":
                value = float(value)
            elif item.dtype.kind == "S":
                value = np.bytes_(value.encode())
        name = _native.native_name(name)
        if name in types:
            value = np.asarray(value, types[name])[()]
        elif name in OF_TYPE and is_array:
            value = _of_type(value, item.dtype)
        attrs[name] = value
    doc = getattr(item, "doc", "")
    if getattr(item, "unit", None):
        attrs.setdefault("units", item.unit)
    if doc:
        attrs.setdefault("long_name" if is_array else _documentation(item.path), doc)
    return attrs


def _of_type(value: Any, dtype: np.dtype[Any]) -> Any:
    """Numbers as those of a type, if they are numbers of it."""
    numbers = np.asarray(value)
    if dtype.kind in "iuf" and numbers.dtype.kind in "iuf":
        own = numbers.astype(dtype.newbyteorder("="))
        if np.array_equal(own, numbers):
            return own[()]
    return value


def _documentation(path: str) -> str:
    """The attribute of a dataset or group that is its documentation, as in netCDF files."""
    return "title" if path == "/" else "description"


def _left_out(path: str, why: object) -> None:
    warnings.warn(f"`{path}` is left out of the dataset: {why}", stacklevel=2)


def _is_scalar(value: object) -> bool:
    return isinstance(value, (str, int, float, complex))


def _columns(of: _native.Dict, name: str, items: _native.List) -> Iterator[tuple[str, _native.Array]]:
    """What all dicts of a list have under a name, as arrays."""
    for column in items[0]:
        path = f"{items.path}[:]/{column}"
        try:
            found = items[column]
        except (LookupError, ValueError) as error:
            _left_out(path, error)
            continue
        if isinstance(found, _native.Array):
            yield f"{name}_{column}" if column in of else column, found
        else:
            _left_out(path, "it is no array in all items of the list")


def _content(of: _native.Dict) -> tuple[list[tuple[str, _native.Array]], dict[str, Any]]:
    """The arrays of a dict, and of its lists of dicts the columns; its values, which are attributes."""
    arrays: list[tuple[str, _native.Array]] = []
    values: dict[str, Any] = {}
    for name in of:
        try:
            item = of[name]
        except Error as error:
            _left_out(f"{of.path.rstrip('/')}/{name}", error)
            continue
        if isinstance(item, _native.Array):
            # A dimension of netCDF-4 that is no variable is an array of HDF5 whose values mean nothing. A variable that has
            # its name, and is not along it, has another one there.
            if not str(item.attrs.get("NAME", "")).startswith("This is a netCDF dimension but not"):
                arrays.append((name.removeprefix("_nc4_non_coord_"), item))
        elif isinstance(item, _native.List):
            first = item[0] if len(item) else None
            if isinstance(first, _native.Dict):
                arrays.extend(_columns(of, name, item))
                continue
            if isinstance(first, _native.Array):
                try:
                    arrays.append((name, of[f"{item.path}[:]"]))
                except Error as error:
                    _left_out(item.path, error)
                continue
            value = item.value() if len(item) <= LONGEST and (first is None or _is_scalar(first)) else None
            if value is not None and all(map(_is_scalar, value)):
                values[name] = value
            else:
                _left_out(item.path, "it is a list of neither dicts nor arrays")
        elif isinstance(item, _native.Dict):
            pass
        elif _is_scalar(item) or isinstance(item, bytes):
            values[name] = item
        else:
            _left_out(f"{of.path.rstrip('/')}/{name}", "it is no array, and no attribute")
    return arrays, values


def _within(file: _native.Dict, group: str) -> tuple[_native.Dict, list[tuple[str, _native.Array]], dict[str, Any]]:
    """The dict that is a group, its arrays and its values."""
    where = file if group in ("", "/") else file["/" + group.strip("/")]
    if not isinstance(where, _native.Dict):
        raise BadValue(f"`{group}` is no dict: a group of a dataset is one", path=group)
    return (where, *_content(where))


def _named(array: _native.Array, name: str, sizes: dict[str, int]) -> tuple[str, ...]:
    """The dimensions of an array of a dataset; two lengths of one name are two dimensions."""
    dims = _dims(array, name)
    if "[:]" in array.path:
        # A column has the records of its list in front.
        owner = array.path.split("[:]")[0].rsplit("/", 1)[-1].strip('"')
        dims = (owner, *dims[1:])
    pairs = zip(dims, array.shape, strict=True)
    return tuple(dim if sizes.setdefault(dim, size) == size else f"{name}_{dim}" for dim, size in pairs)


def _sizes(arrays: list[tuple[str, _native.Array]]) -> dict[str, int]:
    """How long the dimensions are that have coordinates: as long as these, whatever comes first."""
    sizes = {}
    for name, array in arrays:
        # One that cannot be so long is left out later.
        with suppress(Error):
            if _dims(array, name) == (name,):
                sizes[name] = _whole(array).shape[0]
    return sizes


def _dataset(source: object, options: dict[str, Any], file: _native.Dict, group: str) -> xr.Dataset:
    where, arrays, values = _within(file, group)
    variables: dict[str, xr.Variable] = {}
    held: list[LazyArray] = []
    sizes = _sizes(arrays)
    for name, array in arrays:
        try:
            array = _stored(array)
            lazy = LazyArray(source, options, array)
            held.append(lazy)
        except Error as error:
            _left_out(array.path, error)
            continue
        dims = _named(array, name, sizes)
        variables[name] = xr.Variable(dims, indexing.LazilyIndexedArray(lazy), _attrs(array))
    attrs = {**values, **where.params, **_attrs(where)}
    unlimited = attrs.pop("unlimited_dims", [])
    coords = [name for name, variable in variables.items() if variable.dims == (name,)]
    dataset = xr.Dataset({name: it for name, it in variables.items() if name not in coords}, attrs=attrs)
    dataset = dataset.assign_coords({name: variables[name] for name in coords})
    # xarray keeps it where it writes it from.
    growing = {unlimited} if isinstance(unlimited, str) else set(unlimited)
    if growing & set(dataset.dims):
        dataset.encoding["unlimited_dims"] = growing & set(dataset.dims)
    dataset.set_close(partial(_release, held))
    return dataset


def _release(held: list[LazyArray]) -> None:
    """Closes the file of arrays. It is opened again where one is read, as other engines do."""
    for lazy in held:
        lazy._array = None


class LazyFamilyArray(BackendArray):
    """An array of all members of a family. In another process the catalog is opened again by its path."""

    def __init__(self, family: Any, first: _native.Array, missing: Any) -> None:
        self._family, self._path, self._missing = family, first.path, missing
        self.shape = (len(family), *first.shape)
        self.dtype = first.dtype.newbyteorder("=")

    def __dask_tokenize__(self) -> tuple[Any, ...]:
        changed = os.stat(self._family.catalog).st_mtime_ns
        return ("dudley", self._family.catalog, changed, self._family.members.tobytes(), self._path, str(self._missing))

    def __getitem__(self, key: indexing.ExplicitIndexer) -> Any:
        return indexing.explicit_indexing_adapter(key, self.shape, indexing.IndexingSupport.BASIC, self._get)

    def _get(self, key: tuple[Any, ...]) -> Any:
        members, *rest = key
        # The path of a column has slices of its own; what is behind them is one more.
        parts = [f"{at.start or 0}:{at.stop}:{at.step or 1}" if isinstance(at, slice) else str(at) for at in self._bounded(rest)]
        path = f"{self._path}[{', '.join(parts)}]" if parts and "[:]" not in self._path else self._path
        found = self._family[members][path].read(self._missing, threads=1)
        if path == self._path and rest:
            found = found[(slice(None), *rest)]
        return found if isinstance(members, slice) else found[0]

    def _bounded(self, rest: list[Any]) -> list[Any]:
        bounded = []
        for at, size in zip(rest, self.shape[1:], strict=True):
            if isinstance(at, slice):
                start, stop, step = at.indices(size)
                # One that goes down to the first has no end that could be written as a number.
                at = slice(start, "" if stop < 0 else stop, step)
            bounded.append(at)
        return bounded


def family_dataset(family: Any, group: str, missing: Any) -> xr.Dataset:
    """The arrays of the members of a family as a dataset, with the dimension `member` in front."""
    file = family.first()
    where, arrays, values = _within(file, group)
    variables: dict[str, xr.Variable] = {}
    sizes = _sizes(arrays)
    for name, array in arrays:
        lazy = LazyFamilyArray(family, array, missing)
        # One of that name in the files is another one.
        own = [f"{name}_{dim}" if dim == "member" else dim for dim in _named(array, name, sizes)]
        dims = ("member", *own)
        variables[name] = xr.Variable(dims, indexing.LazilyIndexedArray(lazy), _attrs(array))
    attrs = {**values, **_attrs(where)}
    coords = {"member": family.members}
    return xr.decode_cf(xr.Dataset(variables, coords, attrs))


def _groups(of: _native.Dict, path: str = "/") -> Iterator[str]:
    yield path
    for name in of:
        try:
            item = of[name]
        except Error:
            # Its dataset says so.
            continue
        if isinstance(item, _native.Dict):
            yield from _groups(item, item.path)


class DudleyBackend(BackendEntrypoint):
    """Opens what `dudley.open` opens."""

    description = "Open streams of Dudley, ASDF, Blosc2, netCDF-3, FITS, PDB and arrays of numpy with dudley"
    open_dataset_parameters = ("filename_or_obj", "drop_variables", "group", *OPTIONS)
    supports_groups = True

    def open_dataset(
        self,
        filename_or_obj: Any,
        *,
        drop_variables: Any = None,
        group: str = "/",
        **options: Any,
    ) -> xr.Dataset:
        """A dict of a file as a dataset; `group` is its path."""
        source, own, decode, file = _opened(filename_or_obj, options)
        return _decoded(_dataset(source, own, file, group), source, decode, drop_variables)

    def open_groups_as_dict(
        self, filename_or_obj: Any, *, drop_variables: Any = None, **options: Any
    ) -> dict[str, xr.Dataset]:
        """Each dict of a file as a dataset."""
        source, own, decode, file = _opened(filename_or_obj, options)
        return {
            group: _decoded(_dataset(source, own, file, group), source, decode, drop_variables)
            for group in _groups(file)
        }

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


def _decoded(dataset: xr.Dataset, source: object, decode: dict[str, Any], drop_variables: Any) -> xr.Dataset:
    decoded = xr.decode_cf(dataset, drop_variables=drop_variables, **decode)
    decoded.set_close(dataset._close)
    if isinstance(source, str):
        decoded.encoding["source"] = source
    return decoded


def _opened(filename_or_obj: Any, options: dict[str, Any]) -> tuple[object, dict[str, Any], dict[str, Any], _native.File]:
    """What is opened, with which options it is opened again, what is said of decoding, and the file."""
    own = {"threads": 1, **{name: value for name, value in options.items() if name in OPTIONS}}
    decode = {name: value for name, value in options.items() if name not in OPTIONS}
    if isinstance(filename_or_obj, (str, os.PathLike)):
        source: object = os.fspath(filename_or_obj)
        if "://" not in str(source):
            source = os.path.abspath(str(source))
    elif isinstance(filename_or_obj, bytes):
        source = filename_or_obj
    else:
        source = filename_or_obj.read()
    return source, own, decode, _native.open(source, **own)


def _said_of(path: str, attrs: Mapping[Any, Any], said: dict[str, dict[str, Any]], doc: str) -> None:
    left = {str(name): value for name, value in attrs.items()}
    # That no number is no value needs no saying, and has no form in a layout.
    if isinstance(left.get("_FillValue"), (float, np.floating)) and np.isnan(left["_FillValue"]):
        del left["_FillValue"]
    if isinstance(left.get("units"), str):
        said["units"][path] = left.pop("units")
    if isinstance(left.get(doc), str):
        said["docs"][path] = left.pop(doc)
    types = [f"{of} {name}" for name, value in left.items() if (of := _type(value))]
    # What means something else in a layout gets another name there.
    said["attrs"][path] = {
        name if name in OF_VALUES or name == "unlimited_dims" else _native.netcdf_name(name): value
        for name, value in left.items()
    }
    if types:
        said["attrs"][path][TYPES] = types


def _type(value: Any) -> str | None:
    """The type of an attribute that no other one says."""
    if not isinstance(value, (np.ndarray, np.generic, float)):
        return None
    numbers = np.asarray(value)
    is_usual = numbers.dtype in ("i8", "f8") and np.isfinite(numbers).all()
    return None if is_usual or numbers.dtype.kind not in "iuf" else numbers.dtype.str[1:]


def _tree(dataset: xr.Dataset, at: str, said: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """The variables of a dataset as `dudley.write` takes them; what is said of them goes to `said`."""
    variables, attrs = xr.conventions.encode_dataset_coordinates(dataset)
    growing = [str(dim) for dim in dataset.encoding.get("unlimited_dims", ())]
    here = at or "/"
    _said_of(here, {**attrs, **({"unlimited_dims": growing} if growing else {})}, said, _documentation(here))
    tree: dict[str, Any] = {}
    for name, variable in variables.items():
        path = f"{at}/{name}"
        encoded = xr.conventions.encode_cf_variable(variable, name=name)
        tree[str(name)] = np.asarray(encoded.data)
        said["dims"][path] = [str(dim) for dim in encoded.dims]
        _said_of(path, encoded.attrs, said, "long_name")
    return tree


@xr.register_dataset_accessor("dudley")
class DatasetAccessor:
    """What Dudley does with a dataset: `ds.dudley`."""

    def __init__(self, dataset: xr.Dataset) -> None:
        self._dataset = dataset

    def to_file(self, path: str | os.PathLike[str], **options: Any) -> None:
        """Write the variables with their dimensions, units and attributes, as `dudley.write` does; its options may follow.

        Times and the like are encoded as in netCDF, and decoded by `xarray.open_dataset`.
        """
        from ._write import write

        said: Any = {"units": {}, "docs": {}, "attrs": {}, "dims": {}}
        write(path, _tree(self._dataset, "", said), **said, **options)


@xr.register_datatree_accessor("dudley")
class DataTreeAccessor:
    """What Dudley does with a tree of datasets: `tree.dudley`."""

    def __init__(self, tree: xr.DataTree) -> None:
        self._tree = tree

    def to_file(self, path: str | os.PathLike[str], **options: Any) -> None:
        """Write each dataset as a dict of the file: see `ds.dudley.to_file`."""
        from ._write import write

        said: Any = {"units": {}, "docs": {}, "attrs": {}, "dims": {}}
        root: dict[str, Any] = {}
        for node in self._tree.subtree:
            into = root
            parts = [part for part in node.path.split("/") if part]
            for part in parts:
                into = into.setdefault(part, {})
            at = "".join(f"/{part}" for part in parts)
            into.update(_tree(node.to_dataset(inherit=False), at, said))
        write(path, root, **said, **options)
