"""Opens HDF5 faces of streams with h5py, netCDF4 and xarray; prints what is in them."""

import json
import sys
import warnings

import h5py
import netCDF4
import numpy as np
import xarray as xr

warnings.simplefilter("ignore")


def plain(values):
    values = np.asarray(values)
    if values.dtype.names:
        rows = [
            {name: plain(row[name]) for name in values.dtype.names} for row in values.reshape(-1)
        ]
        return rows if values.shape else rows[0]
    if values.dtype.kind == "S":
        values = np.char.decode(values, "utf-8")
    if values.dtype.kind == "c":
        values = np.stack([values.real, values.imag], axis=-1)
    return values.tolist()


found = {}
for name in sys.argv[1:]:
    arrays = {}
    with h5py.File(name) as file:

        def visit(path, item):
            # The library counts them by what the header says.
            assert len(item.attrs) == len(list(item.attrs)), (name, path)
            is_dimension = b"not a netCDF variable" in item.attrs.get("NAME", b"")
            if isinstance(item, h5py.Dataset) and not is_dimension:
                arrays["/" + path] = {
                    "values": plain(item[()]),
                    "dtype": item.dtype.str,
                    "address": item.id.get_offset(),
                    "chunks": item.chunks,
                    "dims": [dim[0].name.rsplit("/", 1)[-1] for dim in item.dims if len(dim)],
                    "attrs": {key: str(value) for key, value in item.attrs.items()},
                }

        file.visititems(visit)
    opened = xr.open_dataset(name, engine="h5netcdf", decode_cf=False)
    with netCDF4.Dataset(name) as file:
        names = sorted(file.variables)
    found[name] = {
        "arrays": arrays,
        "xarray": {key: list(array.dims) for key, array in opened.variables.items()},
        "netcdf4": names,
    }
print(json.dumps(found))
