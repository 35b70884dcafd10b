"""Variables of netCDF-4 that are stored shorter than their dimensions: shorter.py shorter.nc."""

import sys

import netCDF4
import numpy

with netCDF4.Dataset(sys.argv[1], "w") as file:
    file.createDimension("time", None)
    file.createDimension("x", 3)
    file.createVariable("whole", "f8", ("time", "x"), chunksizes=(2, 3))[:] = numpy.arange(15.0).reshape(5, 3)
    file.createVariable("short", "i4", ("time",), fill_value=-7, chunksizes=(2,))[:3] = [1, 2, 3]
    file.createVariable("none", "f4", ("time",), chunksizes=(2,))
    file.createVariable("letters", "S1", ("time", "x"), chunksizes=(2, 3))[0] = numpy.array(list("abc"), "S1")
    file.createVariable("texts", str, ("time",), chunksizes=(2,))[:2] = numpy.array(["hi", "you"], object)
