"""Opens references with xarray, and zarr; prints the arrays of each group."""

import json
import sys
import warnings

import fsspec
import numpy as np
import xarray as xr
import zarr

warnings.simplefilter("ignore")


def plain(values):
    if values.dtype.kind == "S":
        values = np.char.decode(values, "latin-1")
    if values.dtype.kind == "c":
        values = np.stack([values.real, values.imag], axis=-1)
    return values.tolist()


def store(path):
    options = {"asynchronous": True}
    files = fsspec.filesystem(
        "reference", fo=path, remote_protocol="file", remote_options=options, **options
    )
    return zarr.storage.FsspecStore(files, read_only=True, path="")


found = {}
for name in sys.argv[1:]:
    tree = xr.open_datatree(
        store(name), engine="zarr", decode_cf=False, chunks={}, create_default_indexes=False
    )
    arrays = {}
    for node in tree.subtree:
        for key, array in {**node.data_vars, **node.coords}.items():
            path = f"{node.path.rstrip('/')}/{key}"
            arrays[path] = {
                "values": plain(array.values),
                "dtype": array.dtype.str,
                "dims": array.dims,
                "attrs": {name: str(value) for name, value in array.attrs.items()},
            }
    found[name] = arrays
print(json.dumps(found))
