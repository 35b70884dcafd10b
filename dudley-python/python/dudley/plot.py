"""A first look: `python -m dudley.plot FILE PATH [-o OUT.png]`.

An array of one dimension, or a column of a list, is a line; one of two dimensions is an image; of more the first of each
outer dimension is shown, unless PATH has a slice. The package matplotlib draws.
"""

from __future__ import annotations

import argparse
import sys
from typing import Any

import numpy as np

from . import _native
from ._errors import BadValue, Error


def draw(axes: Any, array: _native.Array) -> None:
    """Draws an array into axes of matplotlib."""
    found = array
    values = found[(0,) * (found.ndim - 2)] if found.ndim > 2 else found.read()
    values = np.ma.asarray(values)
    if values.dtype.kind not in "biufc":
        raise BadValue(f"`{array.path}` is of the type {array.dtype}, of which nothing is drawn", path=array.path)
    if values.dtype.kind == "c":
        values = np.abs(values)
    label = f"{array.name} ({array.unit})" if array.unit else array.name
    dims = [name or "" for name in array.dims][-2:]
    if values.ndim < 2:
        axes.plot(np.atleast_1d(values), marker="." if values.size < 100 else None)
        axes.set_ylabel(label)
        axes.set_xlabel(dims[-1] if dims else "")
    else:
        image = axes.imshow(values, origin="lower", aspect="auto", interpolation="nearest")
        axes.figure.colorbar(image, ax=axes, label=label)
        axes.set_ylabel(dims[0])
        axes.set_xlabel(dims[1])
    axes.set_title(array.doc.splitlines()[0] if array.doc else array.path)


def main(words: list[str] | None = None) -> int:
    """What the command line asks for; the exit status."""
    asked = argparse.ArgumentParser(prog="python -m dudley.plot", description="Draw an array of a file.")
    asked.add_argument("file")
    asked.add_argument("path", help="the path of an array, which may have slices: '/rho[3]'")
    asked.add_argument("-o", "--output", help="the image to write; else a window is opened")
    asked.add_argument("--layout", help="the layout of a stream that carries none (X.dud)")
    asked.add_argument("--raw", action="store_true", help="the stream has no signature")
    given = asked.parse_args(words)
    try:
        import matplotlib
    except ImportError:
        print("error: drawing takes the package matplotlib, which is not installed", file=sys.stderr)
        return 3
    if given.output:
        matplotlib.use("Agg")
    from matplotlib import pyplot

    try:
        array = _native.open(given.file, layout=given.layout, raw=given.raw)[given.path]
        if not isinstance(array, _native.Array):
            raise BadValue(f"`{given.path}` is no array", path=given.path)
        figure, axes = pyplot.subplots()
        draw(axes, array)
    except Error as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    if given.output:
        figure.savefig(given.output)
    else:
        pyplot.show()
    return 0


if __name__ == "__main__":
    sys.exit(main())
