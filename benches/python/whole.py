"""How long libraries take to read and write a large array of doubles.

    whole.py FOLDER COUNT

Writes the numbers 0 to COUNT in the format of each, then does what each line of its input says and
answers with the seconds taken. Buffers begin at pages; `into` fills one that was used before, `new` gives
a new array.
"""

import mmap
import os
import shutil
import sys
import time

import h5py
import netCDF4
import numpy
import zarr

folder, count = sys.argv[1], int(sys.argv[2])
values = numpy.frombuffer(mmap.mmap(-1, count * 8), "f8")
values[:] = numpy.arange(count, dtype="f8")
buffer = numpy.frombuffer(mmap.mmap(-1, count * 8), "f8")
buffer[:] = 1


def write_numpy():
    values.tofile(f"{folder}/numpy")


def write_h5py():
    with h5py.File(f"{folder}/h5py", "w") as file:
        file.create_dataset("x", data=values)


def write_netcdf4():
    with netCDF4.Dataset(f"{folder}/netcdf4", "w") as file:
        file.createDimension("n", count)
        file.createVariable("x", "f8", ("n",), fill_value=False, contiguous=True)[:] = values


def write_netcdf3():
    with netCDF4.Dataset(f"{folder}/netcdf3", "w", format="NETCDF3_64BIT_OFFSET") as file:
        file.createDimension("n", count)
        file.createVariable("x", "f8", ("n",), fill_value=False)[:] = values


def write_zarr():
    zarr.create_array(f"{folder}/zarr", data=values, chunks=(1 << 20,), compressors=None)


def into_numpy():
    with open(f"{folder}/numpy", "rb", buffering=0) as file:
        done, view = 0, memoryview(buffer).cast("B")
        while done < len(view):
            done += file.readinto(view[done:])
    return buffer


def into_h5py():
    with h5py.File(f"{folder}/h5py") as file:
        file["x"].read_direct(buffer)
    return buffer


def new_numpy():
    return numpy.fromfile(f"{folder}/numpy", "f8")


def new_h5py():
    with h5py.File(f"{folder}/h5py") as file:
        return file["x"][...]


def new_netcdf(name):
    with netCDF4.Dataset(f"{folder}/{name}") as file:
        file.set_auto_mask(False)
        return file["x"][:]


def new_zarr():
    return zarr.open_array(f"{folder}/zarr", mode="r")[:]


def sum_numpy():
    return numpy.memmap(f"{folder}/numpy", "f8", "r").sum()


known = {
    "write numpy": write_numpy,
    "write h5py": write_h5py,
    "write netcdf3": write_netcdf3,
    "write netcdf4": write_netcdf4,
    "write zarr": write_zarr,
    "into numpy": into_numpy,
    "into h5py": into_h5py,
    "new numpy": new_numpy,
    "new h5py": new_h5py,
    "new netcdf3": lambda: new_netcdf("netcdf3"),
    "new netcdf4": lambda: new_netcdf("netcdf4"),
    "new zarr": new_zarr,
    "sum numpy": sum_numpy,
}
for line in sys.stdin:
    word = line.strip()
    verb, library = word.split()
    if verb == "write":
        # What is there is removed outside of what is measured.
        path = f"{folder}/{library}"
        if os.path.isdir(path):
            shutil.rmtree(path)
        elif os.path.exists(path):
            os.remove(path)
    start = time.perf_counter()
    found = known[word]()
    taken = time.perf_counter() - start
    if found is not None and found.ndim:
        assert found[0] == 0 and found[-1] == count - 1
    # Memory is given back before the next, outside of what is measured.
    del found
    print(taken, flush=True)
