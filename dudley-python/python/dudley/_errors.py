"""What goes wrong, as exceptions."""

from __future__ import annotations

from typing import Any


class Error(Exception):
    """What went wrong with a file.

    `path` is the path of the item in the file, `address` where in the file it is, in bytes: None where that is not known.
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
        return (_again, (type(self), self.args[0], self.path, self.address))


def _again(kind: type[Error], message: str, path: str | None, address: int | None) -> Error:
    return kind(message, path=path, address=address)


class NotFound(Error, KeyError):
    """There is nothing of that name or path."""


class BadIndex(Error, IndexError):
    """An index is out of range, or there are too many."""


class BadValue(Error, ValueError):
    """What is asked for, or given, does not fit."""


class DataError(Error, ValueError):
    """The bytes of a file are not what its layout or its format says: it is cut off, or damaged."""


class LayoutError(Error, ValueError):
    """A layout has errors, or there is none; the message shows where."""


class UnknownFormat(Error, ValueError):
    """A file is of no format that is known."""


class FileError(Error, OSError):  # type: ignore[misc]
    """A file cannot be opened, read or written."""


class Closed(Error, ValueError):
    """The file is closed."""
