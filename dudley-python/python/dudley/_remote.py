"""Files that are read through Python: addresses, objects of fsspec, and other objects with `read` and `seek`."""

from __future__ import annotations

import io
import os
import threading
from collections import OrderedDict
from errno import ENOENT
from typing import Any

from ._errors import FileError

#: Bytes that are read at least, and kept.
BLOCK = 1 << 16
#: How many blocks are kept.
KEPT = 128


class Ranges:
    """Ranges of a file. What is small is read in blocks, which are kept: headers are read in many small parts."""

    def __init__(self, file: Any) -> None:
        self._file = file
        self._lock = threading.Lock()
        self._blocks: OrderedDict[int, bytes] = OrderedDict()
        # A filesystem of fsspec gives any ranges, several at once.
        self._system = getattr(file, "fs", None) if hasattr(file, "path") else None
        if self._system is not None:
            self.length = int(self._system.size(file.path))
        else:
            self.length = file.seek(0, io.SEEK_END)

    def read(self, wanted: list[tuple[int, int]]) -> list[bytes]:
        """Ranges, each given by its address and its length in bytes."""
        if any(length > BLOCK for _, length in wanted):
            return self._fetch(wanted)
        blocks = {at for address, length in wanted for at in range(address // BLOCK, (address + length - 1) // BLOCK + 1)}
        with self._lock:
            known = {at: self._blocks[at] for at in blocks if at in self._blocks}
        absent = sorted(blocks - known.keys())
        if absent:
            ends = [min(BLOCK, self.length - at * BLOCK) for at in absent]
            fetched = self._fetch([(at * BLOCK, length) for at, length in zip(absent, ends, strict=True)])
            known.update(zip(absent, fetched, strict=True))
            with self._lock:
                self._blocks.update(zip(absent, fetched, strict=True))
                while len(self._blocks) > KEPT:
                    self._blocks.popitem(last=False)
        return [self._of_blocks(known, address, length) for address, length in wanted]

    @staticmethod
    def _of_blocks(known: dict[int, bytes], address: int, length: int) -> bytes:
        first = address // BLOCK
        last = (address + max(length, 1) - 1) // BLOCK
        joined = b"".join(known.get(at, b"") for at in range(first, last + 1))
        return joined[address - first * BLOCK :][:length]

    def _fetch(self, wanted: list[tuple[int, int]]) -> list[bytes]:
        if self._system is not None:
            path = self._file.path
            if len(wanted) == 1:
                ((address, length),) = wanted
                return [self._system.cat_file(path, start=address, end=address + length)]
            starts = [address for address, _ in wanted]
            ends = [address + length for address, length in wanted]
            found = self._system.cat_ranges([path] * len(wanted), starts, ends, on_error="raise")
            return [bytes(one) for one in found]
        with self._lock:
            parts = []
            for address, length in wanted:
                self._file.seek(address)
                parts.append(self._file.read(length))
            return parts


def ranges(file: Any) -> Ranges | None:
    """A file as ranges of it; none of one that cannot be read from anywhere."""
    seekable = getattr(file, "seekable", None)
    if not hasattr(file, "seek") or (seekable is not None and not seekable()):
        return None
    return Ranges(file)


def name_of(file: Any) -> str:
    """What a file is called in messages."""
    for name in ("full_name", "path", "name"):
        found = getattr(file, name, None)
        if isinstance(found, str):
            return found
    return "file"


def of_address(address: str) -> Any:
    """The file of fsspec at an address."""
    try:
        import fsspec
    except ImportError as error:
        raise FileError(f"{address}: addresses are opened by the package `fsspec`, which is not installed") from error
    try:
        return fsspec.open(address, "rb").open()
    except Exception as error:
        raise FileError(f"{address}: {error}", errno=ENOENT if isinstance(error, FileNotFoundError) else None) from error


def is_address(file: object) -> bool:
    """Whether it is an address: `https://host/run.bd`."""
    if not isinstance(file, (str, os.PathLike)):
        return False
    scheme, colon, _ = os.fspath(file).partition("://")
    return bool(colon) and len(scheme) > 1 and scheme.replace("+", "").isalnum()
