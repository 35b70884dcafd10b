"""Files written from arrays of numpy."""

from __future__ import annotations

import io
import os
import tempfile
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from . import _native
from ._command import convert
from ._errors import BadValue, NotFound

#: What may be written.
Tree = Mapping[str, Any]


#: What files of the format are called that arrays are written as at once.
STREAMS = ("", ".bd")


def write(
    path: str | os.PathLike[str],
    tree: Tree,
    *,
    params: Mapping[str, int] | None = None,
    units: Mapping[str, str] | None = None,
    docs: Mapping[str, str] | None = None,
    attrs: Mapping[str, Mapping[str, Any]] | None = None,
    dims: Mapping[str, Sequence[str]] | None = None,
    overwrite: bool = False,
    to: str | None = None,
    **how: Any,
) -> None:
    """Write arrays as a stream that carries its layout, or as a file of another format.

    `tree` has arrays, numbers and texts by their names; dicts in it are dicts of the file, lists are lists. `params` are
    integers by their names, which the file holds as params. `units`, `docs`, `attrs` and `dims` are by paths: `"/mesh/x"`;
    those of dicts, and of the file itself, `"/"`, may have documentation and attributes.

    The format is what `path` ends in, or `to`: a stream (`.bd`), or what `dudley.convert` writes, whose options may follow:
    `codec="zlib"`, `chunks=…`. Masked arrays are written to ASDF, which has masks.

    The file is complete or absent: it replaces another one only with `overwrite`, and only when all is written.

    Raises `FileError` if the file is there already or cannot be written, `BadValue` if something cannot be written,
    `NotFound` if something is said of a path that is not in `tree`.

    >>> tree = {"rho": np.ones((2, 3)), "history": [{"t": 0.0}, {"t": 0.5}]}
    >>> dudley.write("new.bd", tree, units={"/rho": "g/cc"}, dims={"/rho": ("y", "x")})
    >>> dudley.open("new.bd")["rho"].dims
    ('y', 'x')
    """
    path = os.fspath(path)
    said: Any = dict(params=params, units=units, docs=docs, attrs=attrs, dims=dims)
    name = f".{to}" if to else os.path.splitext(path)[1].lower()
    masks: list[tuple[str, tuple[int, ...], bytes]] = []
    if name in STREAMS and not how:
        _stream(path, tree, overwrite=overwrite, masks=None, **said)
        return
    with tempfile.TemporaryDirectory(prefix=".dudley-", dir=os.path.dirname(os.path.abspath(path))) as folder:
        stream = os.path.join(folder, "stream.bd")
        _stream(stream, tree, masks=masks if name == ".asdf" else None, **said)
        if masks:
            unmasked, stream = stream, os.path.join(folder, "masked.asdf")
            convert(unmasked, stream, stored=True)
            with _native.open(stream) as file:
                # With a unit it is a quantity, whose value is the array.
                found = [(f"{at}/value" if isinstance(file[at], _native.Dict) else at, shape, mask) for at, shape, mask in masks]
            _native.mask_asdf(stream, found)
        convert(stream, path, stored=True, overwrite=overwrite, to=to, **how)


def _without_objects(array: np.ndarray[Any, Any], path: str, kind: str) -> np.ndarray[Any, Any]:
    """The same array; objects that are texts have room for the longest of them."""
    if not array.dtype.hasobject:
        return array
    if array.dtype.names:
        fields = [(name, _without_objects(array[name], f"{path}.{name}", kind)) for name in array.dtype.names]
        of = np.dtype([(name, field.dtype, field.shape[array.ndim :]) for name, field in fields])
        whole = np.empty(array.shape, of)
        for name, field in fields:
            whole[name] = field
        return whole
    for text in (str, bytes):
        if all(isinstance(item, text) for item in array.flat):
            return array.astype(text)
    raise BadValue(f"`{path}` is {kind}, which is no array of one type", path=path)


def _stream(
    path: str,
    tree: Tree,
    params: Mapping[str, int] | None,
    units: Mapping[str, str] | None,
    docs: Mapping[str, str] | None,
    attrs: Mapping[str, Mapping[str, Any]] | None,
    dims: Mapping[str, Sequence[str]] | None,
    masks: list[tuple[str, tuple[int, ...], bytes]] | None,
    overwrite: bool = False,
) -> None:
    """Writes a stream; what is masked goes to `masks`, if that has a place."""
    said: dict[str, dict[str, Any]] = {
        "units": dict(units or {}),
        "docs": dict(docs or {}),
        "attrs": dict(attrs or {}),
        "dims": dict(dims or {}),
    }
    arrays: list[dict[str, Any]] = []
    dicts: list[tuple[list[str], dict[str, Any]]] = []

    known: set[str] = set()

    def about(path: str, array: np.ndarray[Any, Any] | None = None) -> dict[str, Any]:
        path = path or "/"
        known.add(path)
        doc = said["docs"].pop(path, "")
        attributes = dict(said["attrs"].pop(path, {}))
        if path in said["dims"]:
            attributes["dims"] = list(said["dims"].pop(path))
            if array is not None and array.dtype.kind in "US":
                # That of the units of texts has no name.
                attributes["dims"].append("")
        return {"unit": said["units"].pop(path, None), "doc": doc.splitlines(), "attrs": attributes, "dims": []}

    def add(parts: list[str], keyed: list[bool], value: Any, param: bool = False) -> None:
        path = "".join(f"/{part}" for part in parts)
        if isinstance(value, Mapping):
            dicts.append((parts, about(path)))
            for name, item in value.items():
                if not isinstance(name, str):
                    raise BadValue(f"`{path or '/'}` has the key {name!r}: keys are texts", path=path)
                add([*parts, name], [*keyed, True], item)
            return
        if isinstance(value, (list, tuple)) and any(
            isinstance(item, (Mapping, list, tuple, np.ndarray)) for item in value
        ):
            for at, item in enumerate(value):
                add([*parts, str(at)], [*keyed, False], item)
            return
        if isinstance(value, np.ma.MaskedArray):
            if masks is None and np.ma.is_masked(value):
                message = f"`{path}` has masked elements: ASDF has masks, other files want `filled()`"
                raise BadValue(message, path=path)
            if masks is not None:
                if value.dtype.names:
                    raise BadValue(f"`{path}` is an array of structs, whose masks are not written", path=path)
                masks.append((path, value.shape, np.ma.getmaskarray(value).tobytes()))
        array = np.asarray(value)
        named = said["dims"].get(path)
        if named is not None and len(named) != array.ndim:
            raise BadValue(f"`{path}` has {array.ndim} dimensions, and {len(named)} names of them", path=path)
        array = _without_objects(array, path, type(value).__name__)
        array = np.ascontiguousarray(array).reshape(array.shape)
        header = io.BytesIO()
        np.lib.format.write_array_header_2_0(header, np.lib.format.header_data_from_array_1_0(array))
        arrays.append(
            {
                "parts": parts,
                "keyed": keyed,
                "param": param,
                "header": header.getvalue(),
                "bytes": array,
                "said": about(path, array),
            }
        )

    for name, value in (params or {}).items():
        add([name], [True], np.asarray(value, np.int64), param=True)
    add([], [], tree)
    for what, left in said.items():
        if left:
            name = next(iter(left))
            near = f": did you mean `/{name}`?" if f"/{name}" in known else ""
            raise NotFound(f"`{what}` names `{name}`, which is not in the tree{near}", path=name)
    _native.write(path, arrays, dicts, overwrite)
