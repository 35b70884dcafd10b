"""What the native part asks numpy for."""

from __future__ import annotations

import ast
import difflib
import math
import os
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import numpy as np

from ._errors import BadIndex, BadValue, FileError


@lru_cache(maxsize=4096)
def dtype(literal: str) -> np.dtype[Any]:
    """The type that a literal of a header of `.npy` says."""
    try:
        return np.lib.format.descr_to_dtype(ast.literal_eval(literal))
    except (RecursionError, MemoryError) as error:
        raise BadValue("structs in structs are nested deeper than Python goes") from error
    except ValueError as error:
        raise BadValue(f"numpy has no such type: {error}") from error


@lru_cache(maxsize=4096)
def native_of(literal: str) -> np.dtype[Any]:
    """The type that a literal says, in the byte order of the machine."""
    return native(dtype(literal))


def native(of: np.dtype[Any]) -> np.dtype[Any]:
    """The same type in the byte order of the machine."""
    return of.newbyteorder("=")


def as_booleans(array: np.ndarray[Any, Any]) -> None:
    """Makes each byte of a boolean 0 or 1: numpy has no others."""
    if array.dtype == bool:
        units = array.view(np.uint8)
        np.minimum(units, 1, out=units)
    elif array.dtype.names:
        for name in array.dtype.names:
            as_booleans(array[name])


def _has_booleans(of: np.dtype[Any]) -> bool:
    if of.subdtype:
        return _has_booleans(of.subdtype[0])
    if of.names:
        return any(_has_booleans(of[name]) for name in of.names)
    return of == bool


def view(shape: tuple[int, ...], of: np.dtype[Any], memory: object, address: int, strides: tuple[int, ...]) -> np.ndarray[Any, Any] | None:
    """An array that looks at memory; None if its elements need a copy."""
    if _has_booleans(of):
        return None
    if of.itemsize == 0 or 0 in shape:
        array = np.empty(shape, of)
        array.flags.writeable = False
        return array
    return np.ndarray(shape, of, np.asarray(memory), address, strides)


def check_out(out: np.ndarray[Any, Any], shape: tuple[int, ...], of: np.dtype[Any]) -> bool:
    """Whether elements can be read straight into an array; that it is of their shape."""
    if not isinstance(out, np.ndarray):
        raise TypeError(f"`out` is {type(out).__name__}: it must be an array of numpy")
    if out.shape != shape:
        raise BadValue(f"`out` has the shape {out.shape}, and the array {shape}")
    if not out.flags.writeable:
        raise BadValue("`out` is read-only")
    return bool(out.dtype == of and out.flags.c_contiguous)


def dlpack(array: Any, copy: bool | None, max_version: tuple[int, int] | None, options: dict[str, Any]) -> Any:
    """The elements for DLPack: in place for a program that knows of read-only memory, else a copy."""
    if array.is_masked:
        raise BufferError(f"`{array.path}` has masked elements, and DLPack has no masks")
    given = {name: value for name, value in options.items() if value is not None}
    if max_version is not None:
        given["max_version"] = max_version
    if copy is not True and max_version is not None and max_version >= (1, 0):
        try:
            return array.view().__dlpack__(**given)
        except (BadValue, BufferError, TypeError):
            pass
    if copy is False:
        raise BufferError(f"`{array.path}` needs a copy")
    found = array.read()
    try:
        return found.__dlpack__(**given)
    except TypeError:
        # numpy before 2.1 knows of no versions.
        return found.__dlpack__(stream=options["stream"])


def objects(value: object, shape: tuple[int, ...], of: str | None) -> np.ndarray[Any, Any]:
    """Values of no type of numpy, in an array of objects; sequences as arrays of a type."""
    array = np.empty(shape, object)
    for at, found in _each(value, shape):
        array[at] = found if of is None else np.array(found, native(dtype(of)))
    return array


def with_objects(literal: str, names: list[str]) -> np.dtype[Any]:
    """The type of structs of which some fields are objects."""
    of = dtype(literal)
    assert of.names is not None
    return np.dtype([(name, object if name in names else of[name]) for name in of.names])


def structs(value: object, shape: tuple[int, ...], of: np.dtype[Any], names: list[str]) -> np.ndarray[Any, Any]:
    """Structs of which some fields are objects."""
    array = np.empty(shape, of)
    assert of.names is not None
    for at, found in _each(value, shape):
        array[at] = tuple(found[name] if name in names else _tuples(found[name], of[name]) for name in of.names)
    return array


def _tuples(value: Any, of: np.dtype[Any]) -> Any:
    """A value as numpy takes it: structs are tuples."""
    if isinstance(value, dict):
        assert of.names is not None
        return tuple(_tuples(value[name], of[name]) for name in of.names)
    if isinstance(value, list):
        return [_tuples(it, of.base) for it in value]
    return value


def _each(value: Any, shape: tuple[int, ...]) -> Iterator[tuple[tuple[int, ...], Any]]:
    """The elements of a value, each with its indices."""
    for at in np.ndindex(*shape):
        found = value
        for index in at:
            found = found[index]
        yield at, found


def mask(cells: bytes, of: np.dtype[Any], shape: tuple[int, ...], path: str) -> np.ndarray[Any, Any]:
    """The mask of an array: a boolean for each element, of structs one for each of their cells."""
    kind = np.ma.make_mask_descr(of)
    if len(cells) != kind.itemsize * math.prod(shape):
        raise BadValue(f"`{path}` has a mask that is not one of numpy: `value()` has None for what is masked", path=path)
    found = np.frombuffer(cells, kind).reshape(shape)
    found.flags.writeable = False
    return found


def fill(out: np.ndarray[Any, Any], array: np.ndarray[Any, Any], path: str) -> None:
    """Puts elements into an array that was given."""
    if isinstance(array, np.ma.MaskedArray) and not isinstance(out, np.ma.MaskedArray):
        raise BadValue(f"`{path}` has masked elements, and `out` has no mask", path=path)
    out[...] = array


def masked(stored: np.ndarray[Any, Any], mask: np.ndarray[Any, Any]) -> np.ma.MaskedArray[Any, Any]:
    """What is stored, with its mask."""
    return np.ma.MaskedArray(stored, np.array(mask))


def no_such_name(name: str, path: str, names: list[str]) -> str:
    """That a dict has nothing of a name, and what it has that is spelt alike."""
    message = f"`{path}` has no `{name}`"
    near = difflib.get_close_matches(name, names, 1)
    if near:
        return f"{message}: did you mean `{near[0]}`?"
    if not names:
        return f"{message}: it is empty"
    shown = ", ".join(f"`{name}`" for name in names[:8])
    return f"{message}: it has {shown}{', …' if len(names) > 8 else ''}"


def layout_text(layout: object) -> str:
    """The text of a layout: it is given, or the path of a file that has it."""
    if isinstance(layout, os.PathLike) or (
        isinstance(layout, str) and layout.endswith(".dud") and "\n" not in layout
    ):
        try:
            with open(layout, encoding="utf-8") as file:
                return file.read()
        except OSError as error:
            raise FileError(f"cannot read `{os.fspath(layout)}`: {error.strerror}", errno=error.errno) from error
    if isinstance(layout, str):
        return layout
    raise TypeError(f"`layout` is {type(layout).__name__}: it must be a text or a path")


def reopen(path: object, options: dict[str, Any]) -> object:
    """Opens a file again, in another process."""
    from . import _native

    return _native.open(path, **options)


def fancy(array: Any, key: Any) -> np.ndarray[Any, Any]:
    """What a key picks that has arrays of indices or masks: the part around them is read, and of that numpy picks."""
    keys = list(key) if isinstance(key, tuple) else [key]
    shape = array.shape
    whole: list[Any] = []
    for one in keys:
        if one is None:
            raise BadIndex("no new axes: `None` is none of the keys of an array of a file")
        if one is Ellipsis or isinstance(one, slice) or hasattr(one, "__index__") and np.ndim(one) == 0:
            whole.append(one)
            continue
        indices = np.asarray(one)
        if indices.dtype == bool:
            at = sum(np.ndim(it) if np.asarray(it).dtype == bool else 1 for it in whole if it is not Ellipsis)
            if Ellipsis not in [it for it in whole if not isinstance(it, np.ndarray)]:
                expected = shape[at : at + indices.ndim]
                if indices.shape != expected:
                    raise BadIndex(f"a mask of the shape {indices.shape} for dimensions of {expected}")
            whole.extend(indices.nonzero())
        elif indices.dtype.kind in "iu" or indices.size == 0:
            whole.append(indices.astype(np.intp))
        else:
            raise BadIndex(f"{indices.dtype} is no type of indices")
    given = sum(one is not Ellipsis for one in whole)
    if given > len(shape):
        raise BadIndex(f"{given} indices, but the array has {len(shape)} dimensions")
    gap = [slice(None)] * (len(shape) - given)
    at = next((at for at, one in enumerate(whole) if one is Ellipsis), len(whole))
    whole[at : at + 1] = gap
    part: list[Any] = []
    rest: list[Any] = []
    for one, length in zip(whole, shape, strict=True):
        if isinstance(one, slice):
            part.append(one)
            rest.append(slice(None))
            continue
        indices = np.asarray(one)
        if indices.size and (indices.min() < -length or indices.max() >= length):
            raise BadIndex(f"an index is out of range of a dimension of {length}")
        indices = np.where(indices < 0, indices + length, indices)
        first = int(indices.min()) if indices.size else 0
        last = int(indices.max()) + 1 if indices.size else 0
        part.append(slice(first, last))
        rest.append(indices - first)
    picked: np.ndarray[Any, Any] = array[tuple(part)][tuple(rest)]
    return picked
