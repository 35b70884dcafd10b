"""How long a library takes for one value of each of many files of many arrays.

    family.py make FOLDER LIBRARY FILES ARRAYS LENGTH
    family.py read FOLDER LIBRARY FILES ARRAYS LENGTH

The first writes them and says how many bytes a file has; the second answers each line of its input with
the seconds that it took to open all files and read the value.
"""

import os
import sys
import time

import numpy

verb, folder, library, files, arrays, length = *sys.argv[1:4], *map(int, sys.argv[4:7])
paths = [f"{folder}/{number}" for number in range(files)]


def values(number, array):
    return numpy.arange(length, dtype="f8") + number * 1000 + array


def write_h5py(path, number):
    with h5py.File(path, "w") as file:
        for array in range(arrays):
            file.create_dataset(f"a{array}", data=values(number, array))


def read_h5py(path):
    with h5py.File(path, "r") as file:
        return file["a25"][7]


def write_netcdf(path, number):
    kind = {"netcdf3": "NETCDF3_64BIT_OFFSET", "netcdf4": "NETCDF4"}[library]
    with netCDF4.Dataset(path, "w", format=kind) as file:
        file.createDimension("x", length)
        for array in range(arrays):
            file.createVariable(f"a{array}", "f8", ("x",), fill_value=False)
        for array in range(arrays):
            file[f"a{array}"][:] = values(number, array)


def read_netcdf(path):
    with netCDF4.Dataset(path) as file:
        return file.variables["a25"][7]


def write_zarr(path, number):
    if number == 0:
        group = zarr.open_group(path, mode="w", zarr_format=3)
        for array in range(arrays):
            shape = {"shape": (length,), "chunks": (length,), "dtype": "f8"}
            group.create_array(f"a{array}", compressors=None, **shape)[:] = values(number, array)
        return
    # The files of a store are alike except for the values; so it is many times as fast.
    for inner, _, names in os.walk(paths[0]):
        there = path + inner[len(paths[0]) :]
        os.mkdir(there)
        for name in names:
            with open(f"{inner}/{name}", "rb") as file:
                content = file.read()
            if name == "0":
                array = int(os.path.basename(os.path.dirname(inner))[1:])
                content = values(number, array).astype("<f8").tobytes()
            with open(f"{there}/{name}", "wb") as file:
                file.write(content)


def read_zarr(path):
    return zarr.open_array(f"{path}/a25", mode="r")[7]


def size(path):
    if os.path.isfile(path):
        return os.path.getsize(path)
    inside = (f"{inner}/{name}" for inner, _, names in os.walk(path) for name in names)
    return sum(map(os.path.getsize, inside))


if library == "h5py":
    import h5py

    write, read = write_h5py, read_h5py
elif library == "zarr":
    import zarr

    write, read = write_zarr, read_zarr
else:
    import netCDF4

    write, read = write_netcdf, read_netcdf

if verb == "make":
    for number, path in enumerate(paths):
        write(path, number)
    sys.exit()
print(sum(map(size, paths)) / files, flush=True)
for _ in sys.stdin:
    start = time.perf_counter()
    found = numpy.empty(files)
    for number, path in enumerate(paths):
        found[number] = read(path)
    taken = time.perf_counter() - start
    assert (found == numpy.arange(files) * 1000.0 + 25 + 7).all()
    print(taken, flush=True)
