"""Writes one netCDF classic file by scipy and one by netCDF4, and what is in them as JSON."""

import json

import netCDF4
import numpy
from scipy.io import netcdf_file

lon = numpy.array([0.5, 1.5, 2.5, 3.5, 4.5], "f4")
lat = numpy.array([-30, 0, 30], "f4")
time = numpy.array([0.25, 1.25, 2.25, 3.25])
temperature = numpy.arange(4 * 3 * 5, dtype="i2").reshape(4, 3, 5) - 30

# Both keep this order in the header; scipy sorts variables, and these are sorted so.
variables = [
    ("lon", "f4", ("lon",), "degrees_east", lon),
    ("lat", "f4", ("lat",), "degrees_north", lat),
    ("time", "f8", ("time",), "days since 2000-01-01", time),
    ("temperature", "i2", ("time", "lat", "lon"), "0.1 K", temperature),
]


def fill(file, create):
    file.title = "A field in time"
    for name, dtype, dims, units, values in variables:
        variable = create(name, dtype, dims)
        variable.units = units
        variable[:] = values


with netcdf_file("scipy.nc", "w", version=1) as file:
    file.createDimension("time", None)
    file.createDimension("lat", 3)
    file.createDimension("lon", 5)
    fill(file, file.createVariable)

with netCDF4.Dataset("netcdf4.nc", "w", format="NETCDF3_CLASSIC") as file:
    file.createDimension("time", None)
    file.createDimension("lat", 3)
    file.createDimension("lon", 5)
    fill(file, file.createVariable)

print(json.dumps({name: values.tolist() for name, _, _, _, values in variables}))
