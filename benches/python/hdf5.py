"""How long h5py takes to read HDF5 files: hdf5.py FOLDER.

Writes the files, says 0, then does what each line of its input says and answers with the seconds taken.
"""

import sys
import time

import h5py
import numpy

folder = sys.argv[1]
MANY, CHUNKS, FILES = 100_000, 1_000_000, 2_000

for version in "latest", "earliest":
    with h5py.File(f"{folder}/many-{version}.h5", "w", libver=version) as file:
        group = file.create_group("g")
        for number in range(MANY):
            group.create_dataset(f"d{number:06}", data=numpy.arange(4.0) + number)
    with h5py.File(f"{folder}/chunks-{version}.h5", "w", libver=version) as file:
        # The kinds of indices differ: B-trees of the first version, and arrays without end.
        most = (None, 4) if version == "latest" else (CHUNKS, 4)
        array = file.create_dataset("x", (CHUNKS, 4), "f4", chunks=(1, 4), maxshape=most)
        for begin in range(0, CHUNKS, 10_000):
            rows = numpy.arange(begin, begin + 10_000, dtype="f4")
            array[begin : begin + 10_000] = rows[:, None] + numpy.arange(4, dtype="f4") / 8
for number in range(FILES):
    with h5py.File(f"{folder}/{number}.h5", "w") as file:
        file["t"] = float(number)
        file["rho"] = numpy.arange(100.0) + number
with h5py.File(f"{folder}/large.h5", "w") as file:
    file["v"] = numpy.arange(1 << 26, dtype="f8")
with h5py.File(f"{folder}/deflated.h5", "w") as file:
    random = numpy.random.default_rng(1)
    values = numpy.cumsum(random.standard_normal(320 * 320 * 320), dtype="f4").reshape(320, 320, 320)
    file.create_dataset("v", data=values, chunks=(32, 64, 64), compression="gzip", shuffle=True)
    file.create_dataset("plain", data=values, chunks=(8, 16, 320))
print(0, flush=True)


def one(version):
    with h5py.File(f"{folder}/many-{version}.h5") as file:
        return file["g/d077777"][()]


def listed(version):
    found = []

    def visit(name, item):
        if isinstance(item, h5py.Dataset):
            found.append((name, item.dtype, item.shape))

    with h5py.File(f"{folder}/many-{version}.h5") as file:
        file.visititems(visit)
    return found


def files():
    total = 0.0
    for number in range(FILES):
        with h5py.File(f"{folder}/{number}.h5") as file:
            total += file["rho"][7]
    return total


def deflated():
    with h5py.File(f"{folder}/deflated.h5") as file:
        return file["v"][:]


def plane():
    with h5py.File(f"{folder}/deflated.h5") as file:
        return file["plain"][:, :, 160]


READ = {
    "one-latest": lambda: one("latest"),
    "one-earliest": lambda: one("earliest"),
    "ls-latest": lambda: listed("latest"),
    "ls-earliest": lambda: listed("earliest"),
    "files": files,
    "deflated": deflated,
    "plane": plane,
}

for line in sys.stdin:
    read = READ[line.strip()]
    start = time.perf_counter()
    found = read()
    taken = time.perf_counter() - start
    # Memory is given back before the next, outside of what is measured.
    del found
    print(taken, flush=True)
