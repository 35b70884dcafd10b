"""How long netCDF4 takes to read netCDF-3 files: netcdf3.py FOLDER.

Writes the files, says 0, then does what each line of its input says and answers with the seconds taken.
"""

import shutil
import struct
import sys
import time

import netCDF4
import numpy

folder = sys.argv[1]
MANY, FILES = 10_000, 2_000



def name(text):
    return struct.pack(">I", len(text)) + text + bytes(-len(text) % 4)


def variable(number, begin):
    units = struct.pack(">II", 12, 1) + name(b"units") + struct.pack(">I", 2) + name(b"m")
    dims = struct.pack(">II", 1, 0)
    return name(b"v%d" % number) + dims + units + struct.pack(">IIQ", 6, 32, begin)


def head(begin):
    dims = struct.pack(">II", 10, 1) + name(b"x") + struct.pack(">I", 4)
    variables = (variable(number, begin + 32 * number) for number in range(MANY))
    return b"CDF\2" + bytes(4) + dims + bytes(8) + struct.pack(">II", 11, MANY) + b"".join(variables)


# By hand: the library moves all that is there for each variable that it adds.
with open(f"{folder}/many.nc", "wb") as file:
    file.write(head(len(head(0))) + bytes(32 * MANY))
with netCDF4.Dataset(f"{folder}/large.nc", "w", format="NETCDF3_64BIT_OFFSET") as file:
    file.createDimension("x", 1 << 26)
    file.createVariable("v", "f8", ("x",))[:] = numpy.arange(1 << 26)
with netCDF4.Dataset(f"{folder}/0.nc", "w", format="NETCDF3_64BIT_OFFSET") as file:
    file.createDimension("x", 100)
    for number in range(50):
        file.createVariable(f"v{number}", "f8", ("x",))[:] = number
for number in range(1, FILES):
    shutil.copyfile(f"{folder}/0.nc", f"{folder}/{number}.nc")
print(0, flush=True)


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
