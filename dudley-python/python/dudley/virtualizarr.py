"""Virtual datasets of VirtualiZarr: references to the arrays of any file that this package opens."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any
from urllib.parse import unquote, urlsplit

from ._command import to_kerchunk


class DudleyParser:
    """A parser for `virtualizarr.open_virtual_dataset`.

    `group` is the dict whose arrays are the dataset, `skip_variables` names arrays to leave out, and `layout` is the path
    of a layout for files that carry none. Arrays that zarr cannot read in place are left out, with a warning.
    """

    def __init__(self, *, group: str | None = None, skip_variables: Iterable[str] | None = None, layout: str | None = None) -> None:
        self.group = group
        self.skip_variables = skip_variables
        self.layout = layout

    def __call__(self, url: str, registry: Any) -> Any:
        """The arrays of a file as a `ManifestStore`; `registry` has the store that they are read through."""
        from virtualizarr.manifests import ManifestStore
        from virtualizarr.parsers.kerchunk.translator import manifestgroup_from_kerchunk_refs

        parts = urlsplit(url)
        path = unquote(parts.path) if parts.scheme in ("", "file") else url
        folder = url.rpartition("/")[0] if parts.scheme else None
        references: Any = to_kerchunk(path, url=folder, layout=self.layout)
        group = manifestgroup_from_kerchunk_refs(references, group=self.group, skip_variables=self.skip_variables)
        return ManifestStore(registry=registry, group=group)
