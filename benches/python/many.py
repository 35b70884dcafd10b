"""How long a library takes to open a file of many small arrays and read one.

    many.py make FOLDER LIBRARY ARRAYS
    many.py read FOLDER LIBRARY ARRAYS

The first writes it; the second says how many bytes it has, and answers each line of its input, the name
of an array, with the seconds taken from the name of the file to the values.
"""

import os
import sys
import time

import numpy

verb, folder, library, count = *sys.argv[1:4], int(sys.argv[4])
path = f"{folder}/many"
values = numpy.arange(8, dtype="f8")
names = [f"x{number:05}" for number in range(count)]


def write_h5py():
    with h5py.File(path, "w", libver="latest") as file:
        for name in names:
            file.create_dataset(name, data=values)


def read_h5py(name):
    with h5py.File(path, "r") as file:
        return file[name][...].sum()


def write_netcdf3():
    """By hand, since the library takes minutes: a CDF-2 header, then the arrays in its order."""

    def text(name):
        return len(name).to_bytes(4, "big") + name.encode() + bytes(-len(name) % 4)

    def whole(number, size=4):
        return number.to_bytes(size, "big")

    head = b"CDF\2" + whole(0) + whole(10) + whole(1) + text("n") + whole(len(values)) + bytes(8)
    head += whole(11) + whole(count)
    # One dimension, no attributes, f8, 64 bytes; the address follows.
    tail = whole(1) + whole(0) + bytes(8) + whole(6) + whole(values.nbytes)
    begin = len(head) + sum(len(text(name)) + len(tail) + 8 for name in names)
    with open(path, "wb") as file:
        file.write(head)
        for number, name in enumerate(names):
            file.write(text(name) + tail + whole(begin + number * values.nbytes, 8))
        file.write(values.astype(">f8").tobytes() * count)


def write_netcdf4():
    with netCDF4.Dataset(path, "w") as file:
        file.createDimension("n", len(values))
        for name in names:
            file.createVariable(name, "f8", ("n",), fill_value=False)[:] = values


def read_netcdf(name):
    with netCDF4.Dataset(path) as file:
        return file.variables[name][:].sum()


def write_zarr():
    group = zarr.open_group(path, mode="w", zarr_format=3)
    group.create_array(names[0], data=values, compressors=None)
    # The files of an array are alike; so it is many times as fast.
    for name in names[1:]:
        os.makedirs(f"{path}/{name}/c")
        for part in ["zarr.json", "c/0"]:
            with open(f"{path}/{names[0]}/{part}", "rb") as file:
                content = file.read()
            with open(f"{path}/{name}/{part}", "wb") as file:
                file.write(content)


def read_zarr(name):
    return zarr.open_array(f"{path}/{name}", mode="r")[:].sum()


def size():
    if os.path.isfile(path):
        return os.path.getsize(path)
    inside = (f"{inner}/{name}" for inner, _, found in os.walk(path) for name in found)
    return sum(map(os.path.getsize, inside))


if library == "h5py":
    import h5py

    write, read = write_h5py, read_h5py
elif library == "zarr":
    import zarr

    write, read = write_zarr, read_zarr
else:
    import netCDF4

    write = {"netcdf3": write_netcdf3, "netcdf4": write_netcdf4}[library]
    read = read_netcdf

if verb == "make":
    write()
    sys.exit()
print(size(), flush=True)
for line in sys.stdin:
    start = time.perf_counter()
    total = read(line.strip())
    print(time.perf_counter() - start, flush=True)
    assert total == 28.0
