"""Files that are created from a layout and filled, and files that grow."""

from __future__ import annotations

import io
import os
from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import Any

import numpy as np

from . import _native
from ._errors import BadValue
from ._numpy import layout_text


def elements(value: Any, path: str) -> tuple[bytes, np.ndarray[Any, Any]]:
    """The elements of anything that numpy makes an array of: the header of a `.npy` file, and an array without gaps."""
    array = np.asarray(value)
    if array.dtype == object:
        raise BadValue(f"`{path}` is given {type(value).__name__}, which is no array of one type", path=path)
    array = np.ascontiguousarray(array).reshape(array.shape)
    header = io.BytesIO()
    np.lib.format.write_array_header_2_0(header, np.lib.format.header_data_from_array_1_0(array))
    return header.getvalue(), array


def spelled(name: str) -> str:
    """A name as a part of a path."""
    return f'"{name}"' if not name.isidentifier() else name


def slices(key: Any) -> str:
    """A key of numpy as a path has it: `[1:3, ::2]`."""

    def one(part: Any) -> str:
        if part is Ellipsis:
            return "..."
        if isinstance(part, slice):
            bounds = ["" if it is None else str(int(it.__index__())) for it in (part.start, part.stop)]
            step = "" if part.step is None else f":{int(part.step.__index__())}"
            return ":".join(bounds) + step
        if hasattr(part, "__index__") and np.ndim(part) == 0 and not isinstance(part, (bool, np.bool_)):
            return str(part.__index__())
        raise BadValue(f"{part!r} is no index to write by: it may be an integer, a slice or `...`")

    parts = key if isinstance(key, tuple) else (key,)
    return f"[{', '.join(map(one, parts))}]" if parts else ""


class Slot:
    """An item of a file that is being written: `w["/rho"]`.

    Assigning to slices of it writes them; `shape`, `dtype_name`, `unit` and `address` are known before.

    >>> w = dudley.create("new.bd", "N : i8  x = f8[N]  l = [/ t = f8]*N", N=2)
    >>> w["x"]
    <Slot "/x": f8, shape (2,)>
    >>> w["x"][1:] = [2.0]
    >>> w.abort()
    """

    def __init__(self, writer: Writer, path: str) -> None:
        self._writer = writer
        self._said: dict[str, Any] = writer._native.said(path)
        self.path = path

    @property
    def kind(self) -> str:
        """What it is: `"data"`, `"list"`, `"dict"` or `"param"`.

        >>> w = dudley.create("new.bd", "N : i8  x = f8[N]  l = [/ t = f8]*N", N=2)
        >>> w["x"].kind, w["l"].kind, w["l"][0].kind
        ('data', 'list', 'dict')
        """
        return str(self._said["kind"])

    @property
    def shape(self) -> tuple[int, ...] | None:
        """Elements in each dimension; None where that is not known yet.

        >>> w = dudley.create("new.bd", "N : i8  x = f8[N]  l = [/ t = f8]*N", N=2)
        >>> w["x"].shape
        (2,)
        """
        shape = self._said["shape"]
        return None if shape is None else tuple(shape)

    @property
    def dtype_name(self) -> str | None:
        """The type of its elements, as the layout has it.

        >>> w = dudley.create("new.bd", "N : i8  x = f8[N]  l = [/ t = f8]*N", N=2)
        >>> w["x"].dtype_name
        'f8'
        """
        return self._said["dtype_name"]  # type: ignore[no-any-return]

    @property
    def unit(self) -> str | None:
        """Its unit.

        >>> w = dudley.create("new.bd", "N : i8  x = f8[N]  l = [/ t = f8]*N", N=2)
        >>> w["x"].unit is None
        True
        """
        return self._said["unit"]  # type: ignore[no-any-return]

    @property
    def address(self) -> int | None:
        """Where it will be, in bytes; None where that is not known yet.

        >>> w = dudley.create("new.bd", "N : i8  x = f8[N]  l = [/ t = f8]*N", N=2)
        >>> w["x"].address, w["l"][1]["t"].address
        (24, 48)
        """
        return self._said["address"]  # type: ignore[no-any-return]

    def __len__(self) -> int:
        length = self._said["length"]
        if length is None:
            length = (self.shape or [None])[0]
        if length is None:
            raise TypeError(f"`{self.path}` has no length")
        return int(length)

    def __getitem__(self, key: Any) -> Slot:
        """An item of it: by name of a dict, by index of a list."""
        part = f"/{spelled(key)}" if isinstance(key, str) else f"/{key.__index__()}"
        return Slot(self._writer, self.path.rstrip("/") + part)

    def __setitem__(self, key: Any, value: Any) -> None:
        if isinstance(key, str):
            self._writer._put(f"{self.path.rstrip('/')}/{spelled(key)}", value)
        elif self.kind == "list" and hasattr(key, "__index__"):
            at = key.__index__()
            self._writer._put(f"{self.path}/{at + len(self) if at < 0 else at}", value)
        elif self.kind == "list":
            self._writer._rows(self.path, slices(key), value)
        else:
            self._writer._put(self.path + slices(key), value)

    def __repr__(self) -> str:
        shape = "" if self.shape is None else f", shape {self.shape}"
        return f'<Slot "{self.path}": {self.dtype_name or self.kind}{shape}>'


class Writer:
    """A file that is being written: see `create`.

    >>> w = dudley.create("new.bd", "N : i8  x = f8[N]  l = [/ t = f8]*N", N=2)
    >>> w["x"] = [1.0, 2.0]
    >>> w["l"][:] = {"t": [0.5, 1.5]}
    >>> w.finish()
    """

    def __init__(self, native: _native.Writer, path: str) -> None:
        self._native = native
        self._path = path

    @property
    def layout(self) -> str:
        """The text of the layout.

        >>> w = dudley.create("new.bd", "N : i8  x = f8[N]  l = [/ t = f8]*N", N=2)
        >>> "x = f8[N]" in w.layout
        True
        """
        return self._native.layout()

    def __getitem__(self, path: str) -> Slot:
        return Slot(self, path if path.startswith("/") else f"/{path}")

    def __setitem__(self, path: str, value: Any) -> None:
        self._put(path if path.startswith("/") else f"/{path}", value)

    def _put(self, path: str, value: Any) -> None:
        if isinstance(value, str):
            self._native.write_text(path, value)
        elif isinstance(value, Mapping):
            for name, item in value.items():
                self._put(f"{path.rstrip('/')}/{spelled(name)}", item)
        elif isinstance(value, (list, tuple)) and any(isinstance(item, Mapping) for item in value):
            for at, item in enumerate(value):
                self._put(f"{path}/{at}", item)
        else:
            array = np.asarray(value)
            if array.dtype.names and "[" not in path and self._native.said(path)["kind"] != "data":
                if array.ndim:
                    self._rows(path, "[:]", array)
                else:
                    for name in array.dtype.names:
                        self._put(f"{path}/{spelled(name)}", array[name])
                return
            self._native.write(path, elements(array, path))

    def _rows(self, path: str, key: str, value: Any) -> None:
        """Items of a list: the fields of structs, or the columns of a dict, are columns."""
        columns: list[tuple[str, Any]] | None = None
        if isinstance(value, Mapping):
            columns = list(value.items())
        else:
            array = np.asarray(value)
            if array.dtype.names and self._native.said(f"{path}/0")["kind"] != "data":
                columns = [(name, array[name]) for name in array.dtype.names]
        if columns is None:
            self._native.write(path + key, elements(value, path + key))
            return
        for name, column in columns:
            below = path + key + "/" + spelled(name)
            self._native.write(below, elements(column, below))

    def finish(self) -> None:
        """Complete the file, which appears with all that was written.

        Raises `BadValue` that names what is missing; it can be written then, and the file be finished again.

        >>> w = dudley.create("new.bd", "N : i8  x = f8[N]  l = [/ t = f8]*N", N=2)
        >>> w["l"][:] = {"t": [0.5, 1.5]}
        >>> w.finish()
        Traceback (most recent call last):
        dudley._errors.BadValue: ...
        >>> w["x"] = [1.0, 2.0]
        >>> w.finish()
        """
        self._native.finish()

    def abort(self) -> None:
        """End without a file; one that was there before stays as it was.

        >>> w = dudley.create("new.bd", "N : i8  x = f8[N]  l = [/ t = f8]*N", N=2)
        >>> w["x"] = [1.0, 2.0]
        >>> w.abort()
        >>> os.path.exists("new.bd")
        False
        """
        self._native.abort()

    def __enter__(self) -> Writer:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if kind is not None:
            self.abort()
            return
        try:
            self.finish()
        except BaseException:
            self.abort()
            raise

    def __repr__(self) -> str:
        return f"<Writer of {self._path!r}>"


def create(
    path: str | os.PathLike[str],
    layout: str | os.PathLike[str],
    *,
    overwrite: bool = False,
    order: str = "<",
    raw: bool = False,
    attach: bool = True,
    param: Mapping[str, int] | None = None,
    **params: int,
) -> Writer:
    """Create a file by a layout, to be filled in any order.

    `layout` is a text, or the path of a `.dud` file; `params` are the values of its params, those with other names than
    Python has in `param`, by their paths. The file appears when the block ends well, and not at all where it ends with an
    exception or something is missing:

    >>> import dudley, numpy as np, os, tempfile
    >>> path = os.path.join(tempfile.mkdtemp(), "run.bd")
    >>> layout = "N : i8  rho = f8[N, 3]  history = [/ t = f8  step = i4]*N  name = S1[8]"
    >>> with dudley.create(path, layout, N=4) as w:
    ...     w["/rho"][2:] = np.ones((2, 3))
    ...     w["/rho"][:2] = np.zeros((2, 3))
    ...     w["/history"][0] = {"t": 0.0, "step": 1}
    ...     w["/history"][1:] = {"t": [0.1, 0.2, 0.3], "step": [2, 3, 4]}
    ...     w["name"] = "blast"
    >>> dudley.open(path)["/history[:]/t"][:]
    array([0. , 0.1, 0.2, 0.3])

    Numbers are converted to the types of the layout where each keeps its value, and refused else. Threads may write
    different parts at once. What is filtered is kept in memory until the end.

    Raises `LayoutError` if the layout has errors, `BadValue` if a param or an array does not fit, `NotFound` for a path
    that the layout does not have, `FileError` if there is a file and `overwrite` is not set.
    """
    given = [(name, int(value)) for name, value in {**(param or {}), **params}.items()]
    native = _native.Writer(os.fspath(path), layout_text(layout), given, order, raw, attach, overwrite)
    return Writer(native, os.fspath(path))


class Append:
    """A file that grows: see `append`.

    >>> with dudley.append("grow.bd") as a:
    ...     a.push("/history", t=1.5)
    4
    """

    def __init__(self, native: _native.Append, path: str) -> None:
        self._native = native
        self._path = path

    def push(self, path: str, record: Any = None, **parts: Any) -> int:
        """Add one record to a list or an array; how many there are then.

        A record is a dict of the parts by their names, which may be keywords, a structured scalar, or, where a record is
        one item, an element or the array that it is. It is durable, and seen by others, with the next `commit`.

        >>> with dudley.append("grow.bd") as a:
        ...     a.push("/history", {"t": 1.5})
        4
        """
        if record is None:
            record = parts
        elif parts:
            raise BadValue("a record is given as a whole and by its parts")
        if isinstance(record, Mapping):
            return self.push_many(path, {name: _one(value) for name, value in record.items()})
        return self.push_many(path, np.asarray(record)[np.newaxis])

    def push_many(self, path: str, records: Any) -> int:
        """Add records to a list or an array, all or none; how many there are then.

        They are a dict of columns by the names of the parts, a structured array, or an array with a dimension for them in
        front.

        >>> with dudley.append("grow.bd") as a:
        ...     a.push_many("/history", {"t": [1.5, 2.0]})
        5
        """
        if isinstance(records, Mapping):
            return self._native.push_many(path, [(str(name), elements(it, path)) for name, it in records.items()])
        array = np.asarray(records)
        if array.dtype.names and self._native.names(path):
            names = array.dtype.names
            return self._native.push_many(path, [(name, elements(array[name], path)) for name in names])
        return self._native.push_many(path, [(None, elements(array, path))])

    def count(self, path: str) -> int:
        """How many records there are, those included that are not committed.

        >>> with dudley.append("grow.bd") as a:
        ...     a.count("/history")
        3
        """
        return self._native.count(path)

    def commit(self) -> None:
        """Make durable what was added, and let others see it.

        >>> with dudley.append("grow.bd") as a:
        ...     _ = a.push("/history", t=1.5)
        ...     a.commit()
        ...     len(dudley.open("grow.bd")["history"])
        4
        """
        self._native.commit()

    def truncate(self, path: str, records: int) -> None:
        """Keep so many records, and take the others away from the end.

        >>> with dudley.append("grow.bd") as a:
        ...     a.truncate("/history", 1)
        >>> dudley.open("grow.bd")["history"]["t"][:]
        array([0.])
        """
        self._native.truncate(path, int(records))

    def __setitem__(self, path: str, value: Any) -> None:
        """Write over elements that are there: an item, a slice, a field, `"/history[-1]/t"`."""
        self._native.write(path, elements(value, path))

    def close(self) -> None:
        """Commit what was added, and close the file.

        >>> a = dudley.append("grow.bd")
        >>> a.push("/history", t=1.5)
        4
        >>> a.close()
        """
        self._native.close()

    def __enter__(self) -> Append:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<Append to {self._path!r}>"


def _one(value: Any) -> Sequence[Any] | np.ndarray[Any, Any]:
    """A column of one."""
    return [value] if isinstance(value, str) else np.asarray(value)[np.newaxis]


def append(path: str | os.PathLike[str]) -> Append:
    """Open a file to add records to a list or an array that stands last in it. No other writer can do so meanwhile.

    >>> import dudley, numpy as np, os, tempfile
    >>> path = os.path.join(tempfile.mkdtemp(), "run.bd")
    >>> with dudley.create(path, "NT : i8  history = [/ t = f8  u = f8[2]]*NT", NT=0):
    ...     pass
    >>> with dudley.append(path) as a:
    ...     a.push("/history", t=0.5, u=[1.0, 2.0])
    ...     a.push_many("/history", {"t": [1.0, 1.5], "u": np.zeros((2, 2))})
    ...     a.commit()
    ...     a.truncate("/history", 2)
    1
    3
    >>> dudley.open(path)["/history[:]/t"][:]
    array([0.5, 1. ])

    A crash leaves all that was committed. Records that were not committed when the block ends are committed then, also
    where it ends with an exception: each of them is whole.

    Raises `FileError` if there is no file, or another writer has it; `BadValue` or `DataError` for what cannot grow.
    """
    return Append(_native.Append(os.fspath(path)), os.fspath(path))
