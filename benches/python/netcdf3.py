"""How long netCDF4 takes to read netCDF-3 files: netcdf3.py FOLDER.

Writes the files, then does what each line of its input says and answers with the seconds taken.
"""

import shutil
import sys
import time

import netCDF4
import numpy

folder = sys.argv[1]
MANY, FILES = 10_000, 2_000

with netCDF4.Dataset(f"{folder}/many.nc", "w", format="NETCDF3_64BIT_OFFSET") as file:
    file.set_fill_off()
    file.createDimension("x", 4)
    for number in range(MANY):
        variable = file.createVariable(f"v{number}", "f8", ("x",))
        variable.units = "m"
with netCDF4.Dataset(f"{folder}/large.nc", "w", format="NETCDF3_64BIT_OFFSET") as file:
    file.createDimension("x", 1 << 26)
    file.createVariable("v", "f8", ("x",))[:] = numpy.arange(1 << 26)
with netCDF4.Dataset(f"{folder}/0.nc", "w", format="NETCDF3_64BIT_OFFSET") as file:
    file.createDimension("x", 100)
    for number in range(50):
        file.createVariable(f"v{number}", "f8", ("x",))[:] = number
for number in range(1, FILES):
    shutil.copyfile(f"{folder}/0.nc", f"{folder}/{number}.nc")


def many():
    with netCDF4.Dataset(f"{folder}/many.nc") as file:
        return file[f"v{MANY // 2}"][0]


def large():
    with netCDF4.Dataset(f"{folder}/large.nc") as file:
        file.set_auto_maskandscale(False)
        return file["v"][:]


def files():
    total = 0.0
    for number in range(FILES):
        with netCDF4.Dataset(f"{folder}/{number}.nc") as file:
            total += file["v25"][7]
    return total


READ = {"many": many, "large": large, "files": files}

for line in sys.stdin:
    read = READ[line.strip()]
    start = time.perf_counter()
    found = read()
    taken = time.perf_counter() - start
    # Memory is given back before the next, outside of what is measured.
    del found
    print(taken, flush=True)
