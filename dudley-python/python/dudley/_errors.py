"""What goes wrong, as exceptions."""

from __future__ import annotations

from errno import ENOENT
from typing import Any


class Error(Exception):
    """What went wrong with a file.

    `path` is the path of the item in the file, `address` where in the file it is, in bytes: None where that is not known.

    >>> try:
    ...     dudley.open("run.bd")["/mesh/y"]
    ... except dudley.Error as error:
    ...     print(error.path)
    /mesh/y
    """

    path: str | None
    address: int | None

    def __init__(
        self,
        message: str,
        *,
        path: str | None = None,
        address: int | None = None,
        errno: int | None = None,
    ) -> None:
        super().__init__(message)
        self.path = path
        self.address = address
        if isinstance(self, OSError):
            self.errno = errno

    def __str__(self) -> str:
        return str(self.args[0])

    def __reduce__(self) -> tuple[Any, ...]:
        return (_again, (type(self), self.args[0], self.path, self.address, getattr(self, "errno", None)))


def _again(kind: type[Error], message: str, path: str | None, address: int | None, errno: int | None) -> Error:
    return kind(message, path=path, address=address, errno=errno)


class NotFound(Error, KeyError):
    """There is nothing of that name or path.

    >>> try:
    ...     dudley.open("run.bd")["mash"]
    ... except dudley.NotFound as error:
    ...     print(error)
    `/` has no `mash`: did you mean `mesh`?
    """


class BadIndex(Error, IndexError):
    """An index is out of range, or there are too many.

    >>> try:
    ...     dudley.open("run.bd")["rho"][3]
    ... except dudley.BadIndex as error:
    ...     print(error)
    `/rho`: bad slice: index 3 is out of range for a dimension of 3
    """


class BadValue(Error, ValueError):
    """What is asked for, or given, does not fit.

    >>> try:
    ...     dudley.open("run.bd", order="big-endian")
    ... except dudley.BadValue as error:
    ...     print(error)
    `big-endian` is no byte order: it is `<` or `>`
    """


class DataError(Error, ValueError):
    """The bytes of a file are not what its layout or its format says: it is cut off, or damaged.

    >>> try:
    ...     dudley.open(bytes(4), layout="x = f8", raw=True)["x"].read()
    ... except dudley.DataError as error:
    ...     print(error)
    `/x`: 8 bytes are needed at address 0, but the stream has 4 there
    """


class LayoutError(Error, ValueError):
    """A layout has errors, or there is none; the message shows where.

    >>> try:
    ...     dudley.create("new.bd", "x = f8[N]")
    ... except dudley.LayoutError as error:
    ...     print(str(error).splitlines()[0])
    error[unknown-param]: unknown param `N`: no such param is declared before this
    """


class UnknownFormat(Error, ValueError):
    """A file is of no format that is known.

    >>> try:
    ...     dudley.open(b"GIF89a\\x01\\x00")
    ... except dudley.UnknownFormat as error:
    ...     print(error)
    it is of no format that is known (it is probably a GIF image): with a layout it is read as a raw stream
    """


class FileError(Error, OSError):  # type: ignore[misc]
    """A file cannot be opened, read or written. If there is no such file, the error is a `FileNotFoundError`, too.

    >>> try:
    ...     dudley.open("none.bd")
    ... except dudley.FileError as error:
    ...     print(error)
    cannot open `none.bd`: No such file or directory (os error 2)
    """

    def __new__(cls, message: str, *, errno: int | None = None, **_: Any) -> FileError:
        missing = cls is FileError and errno == ENOENT
        return super().__new__(NoSuchFile if missing else cls, message)


class NoSuchFile(FileError, FileNotFoundError):  # type: ignore[misc]
    """There is no such file: programs catch it as `FileError` or as `FileNotFoundError`."""


class Closed(Error, ValueError):
    """The file is closed.

    >>> f = dudley.open("run.bd")
    >>> f.close()
    >>> try:
    ...     f["rho"]
    ... except dudley.Closed as error:
    ...     print(error)
    the file is closed
    """
