"""Families: many streams of one layout as one thing."""

from __future__ import annotations

import glob
import os
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from . import _native
from ._errors import BadValue, NotFound
from ._numpy import layout_text

Path = str | os.PathLike[str]


@dataclass(frozen=True)
class Unserved:
    """Members of one file that could not be read, and why not."""

    members: list[int]
    file: str
    error: str


class _Catalog:
    """A catalog that is there as long as something uses it."""

    def __init__(self, path: str, folder: tempfile.TemporaryDirectory[str] | None) -> None:
        self.path = path
        self._folder = folder
        self.opened = _native.Family(path)

    def __reduce__(self) -> tuple[Any, ...]:
        return (_Catalog, (self.path, None))


def family(
    files: Path | Sequence[Path],
    *,
    catalog: Path | None = None,
    layout: Path | None = None,
    params: Mapping[str, int] | None = None,
    raw: bool = False,
    order: str | None = None,
    skip_bad: bool = False,
    threads: int = 0,
) -> Family:
    """Many streams of one layout, one a file.

    `files` is a pattern (`"runs/*.bd"`), or paths; or the path of a catalog. A catalog is made of them, which holds of
    each member what the summary of the layout has, and the params: in `catalog` if that is given, which is brought up to
    date if it is there, else for this program alone. `layout`, `params`, `raw` and `order` are those of `dudley.open`.
    With `skip_bad`, files that cannot be read are left out.

    >>> fam = dudley.family("runs/*.bd")
    >>> fam.where("cycle == 1")["x"].read()
    array([[[1., 1.]]])
    """
    if catalog is None and isinstance(files, (str, os.PathLike)) and os.path.isfile(files) and _is_catalog(files):
        return Family(_Catalog(os.fspath(files), None))
    found = _found(files)
    how: dict[str, Any] = dict(params=params, raw=raw, order=order, skip_bad=skip_bad, threads=threads)
    how["layout"] = None if layout is None else layout_text(layout)
    if catalog is None:
        folder = tempfile.TemporaryDirectory(prefix="dudley-family-")
        path = os.path.join(folder.name, "catalog.bd")
        _native.build_family(path, found, **how)
        return Family(_Catalog(path, folder))
    path = os.fspath(catalog)
    _native.build_family(path, found, update=os.path.exists(path), **how)
    return Family(_Catalog(path, None))


def _is_catalog(path: Path) -> bool:
    try:
        _native.Family(path)
    except (OSError, ValueError):
        return False
    return True


def _found(files: Path | Sequence[Path]) -> list[str]:
    if isinstance(files, (str, os.PathLike)):
        pattern = os.fspath(files)
        found = sorted(glob.glob(pattern, recursive=True)) if glob.has_magic(pattern) else [pattern]
    else:
        found = [os.fspath(file) for file in files]
    if not found:
        raise NotFound(f"there are no files `{files}`")
    return found


class Family:
    """Members of a family, or those of them that a condition picks.

    >>> fam = dudley.family("runs/*.bd")
    >>> len(fam), fam["/x[0, 1]"].read()
    (2, array([0., 1.]))
    """

    def __init__(self, catalog: _Catalog, members: np.ndarray[Any, Any] | None = None) -> None:
        self._catalog = catalog
        self.members = np.arange(len(catalog.opened)) if members is None else members
        """The numbers of the members in the catalog."""

    @property
    def catalog(self) -> str:
        """The path of the catalog.

        >>> fam = dudley.family("runs/*.bd", catalog="runs.cat")
        >>> fam.catalog
        'runs.cat'
        """
        return self._catalog.path

    @property
    def layout(self) -> str:
        """The text of the layout of all members.

        >>> fam = dudley.family("runs/*.bd")
        >>> "x = f8" in fam.layout
        True
        """
        return self._catalog.opened.layout

    @property
    def columns(self) -> list[str]:
        """What the catalog knows of each member, by names: `where` asks for these.

        >>> fam = dudley.family("runs/*.bd")
        >>> fam.columns
        ['cycle']
        """
        return [name for name, _, _ in self._catalog.opened.columns()]

    def column(self, name: str) -> np.ndarray[Any, Any]:
        """What the members have in a column of the catalog. None of their files is opened.

        >>> fam = dudley.family("runs/*.bd")
        >>> fam.column("cycle")
        array([0, 1])
        """
        if name not in self.columns:
            raise NotFound(f"the catalog has no column `{name}`: it has {', '.join(self.columns)}")
        return np.asarray(self._catalog.opened.column(name, self.members.tolist()))

    def where(self, condition: str) -> Family:
        """The members that a condition picks: `"time > 1e-9 and N == 8"`. None of their files is opened.

        >>> fam = dudley.family("runs/*.bd")
        >>> len(fam.where("cycle > 0"))
        1
        """
        picked = self._catalog.opened.select(condition)
        return Family(self._catalog, self.members[np.isin(self.members, picked)])

    def __len__(self) -> int:
        return len(self.members)

    @property
    def files(self) -> list[str]:
        """The file of each member.

        >>> fam = dudley.family("runs/*.bd")
        >>> [os.path.basename(file) for file in fam.files]
        ['0.bd', '1.bd']
        """
        return [os.fspath(self._catalog.opened.place(int(member))[0]) for member in self.members]

    def open(self, at: int) -> _native.File:
        """The stream of a member, by its number among these.

        >>> fam = dudley.family("runs/*.bd")
        >>> fam.open(1)["x"][:]
        array([[1., 1.]])
        """
        file, base = self._catalog.opened.place(int(self.members[at]))
        return _native.open(file, base=base)

    def first(self) -> _native.File:
        """The stream of the first member that can be opened: it tells what all have.

        >>> fam = dudley.family("runs/*.bd")
        >>> fam.first()["x"].shape
        (1, 2)
        """
        failed: Exception = BadValue("there are no members")
        for at in range(len(self)):
            try:
                return self.open(at)
            except (OSError, ValueError) as error:
                failed = error
        raise failed

    def __getitem__(self, key: Any) -> Any:
        """What is at a path of all members: `fam["/rho[0, :]"]`; with a slice, or numbers, a part of the members."""
        if isinstance(key, str):
            return FamilyArray(self, key if key.startswith("/") else f"/{key}")
        return Family(self._catalog, np.atleast_1d(self.members[key]))

    def update(self, files: Path | Sequence[Path] = (), **how: Any) -> dict[str, Any]:
        """Reads what has changed anew, and adds files, to the catalog; says how many were added, changed, or are gone.

        >>> fam = dudley.family("runs/*.bd", catalog="runs.cat")
        >>> fam.update()["added"]
        0
        """
        found = [] if not isinstance(files, (str, os.PathLike)) and not files else _found(files)
        said: dict[str, Any] = _native.build_family(self.catalog, found, update=True, **how)
        self._catalog.opened = _native.Family(self.catalog)
        self.members = np.arange(len(self._catalog.opened))
        return said

    def to_pandas(self) -> Any:
        """The columns of the catalog as a DataFrame, a row for each member.

        >>> fam = dudley.family("runs/*.bd")
        >>> fam.to_pandas()["cycle"].tolist()
        [0, 1]
        """
        import pandas as pd

        columns = {name: self.column(name) for name in self.columns}
        return pd.DataFrame({name: list(it) if it.ndim > 1 else it for name, it in columns.items()}, index=self.members)

    def to_xarray(self, chunks: Any = None, group: str = "/", missing: Any = None) -> Any:
        """All arrays of the members as a dataset of xarray, with the dimension `member` in front; read when they are used.
        `chunks` is that of `Dataset.chunk`: `{"member": 8}`. `missing` stands for members that cannot be read.

        >>> fam = dudley.family("runs/*.bd")
        >>> dict(fam.to_xarray().sizes)
        {'member': 2, 'one': 1, 'i': 2}
        """
        from .xarray import family_dataset

        dataset = family_dataset(self, group, missing)
        return dataset if chunks is None else dataset.chunk(chunks)

    def __repr__(self) -> str:
        members = "1 member" if len(self) == 1 else f"{len(self)} members"
        return f"<Family {self.catalog!r}: {members}, columns {', '.join(self.columns) or 'none'}>"


class FamilyArray:
    """What is at a path of the members of a family. Nothing is read before it is asked for.

    >>> fam = dudley.family("runs/*.bd")
    >>> fam["/x[0, :]"].read()
    array([[0., 0.],
           [1., 1.]])
    """

    def __init__(self, family: Family, path: str) -> None:
        self._family, self.path = family, path
        self._first: Any = None
        self.unserved: list[Unserved] = []
        """What the last read could not read."""

    def _of_first(self) -> _native.Array:
        if self._first is None:
            found = self._family.first()[self.path]
            if not isinstance(found, _native.Array):
                raise BadValue(f"`{self.path}` is no array", path=self.path)
            self._first = found
        return self._first  # type: ignore[no-any-return]

    @property
    def shape(self) -> tuple[int, ...]:
        """The members, and the shape that the first of them has.

        >>> fam = dudley.family("runs/*.bd")
        >>> fam["x"].shape
        (2, 1, 2)
        """
        return (len(self._family), *self._of_first().shape)

    @property
    def dtype(self) -> np.dtype[Any]:
        """The type of the elements.

        >>> fam = dudley.family("runs/*.bd")
        >>> fam["x"].dtype
        dtype('float64')
        """
        return self._of_first().dtype

    @property
    def unit(self) -> str | None:
        """The unit.

        >>> fam = dudley.family("runs/*.bd")
        >>> fam["x"].unit is None
        True
        """
        return self._of_first().unit

    def read(self, missing: Any = None, *, ragged: bool = False, trust: bool = False, threads: int = 0) -> np.ndarray[Any, Any]:
        """The elements of all members as one array, the members first.

        A member that cannot be read is an error; with `missing="skip"` it is left out, and another value stands for its
        elements. What was not read is in `unserved` then. With `ragged` the members' arrays may differ in shape, and are
        objects. With `trust` it is not looked whether files have changed.

        >>> fam = dudley.family("runs/*.bd")
        >>> x = fam["x"]
        >>> x.read(missing="skip").shape, x.unserved
        ((2, 1, 2), [])
        """
        members = self._family.members.tolist()
        opened = self._family._catalog.opened
        array, _, unserved = opened.read(self.path, members, missing, ragged, trust, threads)
        self.unserved = [Unserved(members, os.fspath(file), error) for members, file, error in unserved]
        return array

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray[Any, Any]:
        if copy is False:
            raise ValueError(f"`{self.path}` needs a copy")
        array = self.read()
        return array if dtype is None else array.astype(dtype)

    def __repr__(self) -> str:
        return f"<FamilyArray {self.path!r} of {len(self._family)} members>"
