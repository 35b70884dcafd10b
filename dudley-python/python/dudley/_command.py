"""What the commands of `dudc` do, with results for Python."""

from __future__ import annotations

import errno
import json
import os
import re
import tempfile
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from . import _native
from ._errors import BadValue, DataError, Error, FileError

#: The class of what the exit status of a command says.
FAILURES: dict[int, type[Error]] = {1: DataError, 2: BadValue, 3: FileError}
#: The options of `dudley.open` that commands have.
OPEN = ("layout", "raw", "order", "params", "base", "threads")
#: What options are called otherwise on the command line.
CALLED = {"params": "param", "threads": "jobs", "overwrite": "force"}
#: The names in Python of options that messages name as on the command line.
OPTIONS = {option: name for name, option in CALLED.items()} | {
    name.replace("_", "-"): name
    for name in ("to", "layout", "order", "from_order", "raw", "base", "codec", "filters", "chunks", "blocks", "fill", "stored")
}
ORDERS = {"<": "little", ">": "big"}

Path = str | os.PathLike[str]


@contextmanager
def _words(options: Mapping[str, Any]) -> Iterator[list[str]]:
    """Options of Python as words of a command line."""
    words: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        for name, value in options.items():
            option = f"--{CALLED.get(name, name).replace('_', '-')}"
            if value is None or value is False or value == [] or value == ():
                continue
            if value is True:
                words.append(option)
            elif isinstance(value, Mapping):
                words.extend(f"{option}={key}={number}" for key, number in value.items())
            elif name == "layout":
                if isinstance(value, str) and ("\n" in value or not value.endswith(".dud")):
                    path = os.path.join(folder, "layout.dud")
                    with open(path, "w", encoding="utf-8") as file:
                        file.write(value)
                    value = path
                words.append(f"{option}={os.fspath(value)}")
            elif isinstance(value, (list, tuple)):
                words.append(f"{option}={','.join(map(str, value))}")
            else:
                words.append(f"{option}={ORDERS.get(value, value)}")
        yield words


def _said(messages: str) -> list[str]:
    """Messages, each of which may have several lines, as texts: warnings are given as such."""
    found: list[str] = []
    for line in messages.splitlines():
        if line.startswith(("warning: ", "error: ")) or not found:
            found.append(line)
        else:
            found[-1] += f"\n{line}"
    for one in found:
        if one.startswith("warning: "):
            warnings.warn(one.removeprefix("warning: "), stacklevel=4)
    return [one.removeprefix("error: ") for one in found if not one.startswith("warning: ")]


def _in_python(message: str) -> str:
    """A message that names the options as Python does. Commands, which stand in backticks, stay."""
    parts = message.split("`")
    for at in range(0, len(parts), 2):
        parts[at] = re.sub(
            r"--([a-z]+(?:-[a-z]+)*)",
            lambda found: f"`{OPTIONS[found[1]]}`" if found[1] in OPTIONS else found[0],
            parts[at],
        )
    return "`".join(parts)


def _run(command: str, words: Sequence[str], fine: Sequence[int] = (0,)) -> bytes:
    status, out, messages = _native.command(["dudc", command, *words])
    failures = _said(messages)
    if status not in fine or (failures and not out):
        message = _in_python("\n".join(failures)) or f"`dudc {command}` ended with {status}"
        missing = os.strerror(errno.ENOENT) in message
        raise FAILURES.get(status, DataError)(message, errno=errno.ENOENT if missing else None)
    return out


def _json(command: str, words: Sequence[str], fine: Sequence[int] = (0,)) -> Any:
    return json.loads(_run(command, ["--format=json", *words], fine))


def _place(file: _native.File) -> tuple[str, dict[str, Any]]:
    """The path of a file, and with which options it was opened."""
    try:
        path, options = file.__reduce__()[1]
    except TypeError as error:
        raise BadValue("bytes in memory are no file that this can be done with") from error
    return os.fspath(path), {name: options[name] for name in OPEN if options.get(name)}


def convert(
    source: Path,
    target: Path,
    paths: Sequence[str] = (),
    *,
    to: str | None = None,
    layout: Path | None = None,
    params: Mapping[str, int] | None = None,
    order: str | None = None,
    from_order: str | None = None,
    raw: bool = False,
    base: int = 0,
    codec: str | None = None,
    filters: Sequence[str] = (),
    chunks: Sequence[int] = (),
    blocks: Sequence[int] = (),
    fill: float | str | None = None,
    compress: bool = False,
    stored: bool = False,
    overwrite: bool = False,
    threads: int | None = None,
) -> None:
    """Write a file as one of another format, or what `paths` pick of it: as `dudc convert` does.

    What is written is what `target` ends in, or `to`: `bd`, `asdf`, `finf`, `b2nd`, `b2frame`, `fits`, `nc`, `h5`, `npz`,
    `npy`, or a folder of `.npy` files. `codec` is the compression of ASDF and Blosc2: `"zlib"`, `"lz4:9"`. Physical values
    are written instead of stored ones, unless `stored`. What the format has no place for is a warning.

    Raises `FileError` if something cannot be read or written, `DataError` for what is wrong with the file, `BadValue`
    for options that do not go together.

    >>> dudley.convert("run.bd", "rho.nc", ["/rho"])
    >>> dudley.open("rho.nc").format
    'netcdf3'
    """
    given = dict(
        to=to, layout=layout, params=params, order=order, from_order=from_order, raw=raw, base=base or None,
        codec=codec, filters=list(filters), chunks=list(chunks), blocks=list(blocks), fill=fill, compress=compress,
        stored=stored, overwrite=overwrite, threads=threads,
    )  # fmt: skip
    with _words(given) as words:
        _run("convert", [*words, "--", os.fspath(source), os.fspath(target), *paths])


def diff(
    a: Path,
    b: Path,
    paths: Sequence[str] = (),
    *,
    rtol: float = 0.0,
    atol: float = 0.0,
    ulp: int = 0,
    promote: bool = False,
    ignore: Sequence[str] = (),
    layout: Path | None = None,
    threads: int | None = None,
) -> list[dict[str, Any]]:
    """Where two files differ, of whatever formats: a dict for each difference, as `dudc diff --format json` has them.

    Floats are equal if `|a - b| <= atol + rtol * |b|`, or if no more than `ulp` floats lie between them. `ignore` are
    patterns of paths.

    >>> dudley.diff("run.bd", "run.bd")
    []
    >>> dudley.diff("runs/0.bd", "runs/1.bd", ["/x"])[0]["path"]
    '/x'
    """
    given = dict(
        rtol=rtol or None, atol=atol or None, ulp=ulp or None, promote=promote, layout=layout, threads=threads
    )
    with _words(given) as words:
        words += [f"--ignore={pattern}" for pattern in ignore]
        found: list[dict[str, Any]] = _json("diff", [*words, "--", os.fspath(a), os.fspath(b), *paths], (0, 1))["differences"]
    return found


def to_kerchunk(
    files: Path | Sequence[Path],
    *,
    member: str = "member",
    url: str | None = None,
    layout: Path | None = None,
    zarr: int = 2,
) -> dict[str, Any]:
    """References to the arrays of files, through which kerchunk, zarr, xarray and VirtualiZarr read them in place.

    Several files of the same arrays are one dataset, whose first dimension is called `member`. `url` stands in front of
    the names of the files; else it is their absolute paths. An array without a form in zarr is left out, with a warning.

    >>> "rho/.zarray" in dudley.to_kerchunk("run.bd")["refs"]
    True
    """
    names = [os.fspath(file) for file in ([files] if isinstance(files, (str, os.PathLike)) else files)]
    with _words(dict(member=member, url=url, layout=layout, zarr=zarr)) as words:
        found: dict[str, Any] = json.loads(_run("refs", [*words, "--", *names]))
    return found


def verify(file: _native.File) -> list[dict[str, Any]]:
    """All that is wrong with a file."""
    path, options = _place(file)
    options.pop("threads", None)
    with _words(options) as words:
        found: list[dict[str, Any]] = _json("verify", [*words, "--", path], (0, 1))["findings"]
    return found


def stat(file: _native.File, paths: Sequence[str]) -> list[dict[str, Any]]:
    """The numbers of a file, counted."""
    path, options = _place(file)
    with _words(options) as words:
        found: list[dict[str, Any]] = _json("stat", [*words, "--", path, *paths])["items"]
    return found
