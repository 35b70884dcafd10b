"""Writes many small datasets into a file, prints its size, and reads one whenever it is asked; prints
the seconds taken from the name of the file to the values."""

import sys
import time

import h5py
import numpy

path, count = sys.argv[1], int(sys.argv[2])
values = numpy.arange(8, dtype="f8")
with h5py.File(path, "w", libver="latest") as file:
    for number in range(count):
        file.create_dataset(f"x{number:05}", data=values)
with open(path, "rb") as file:
    print(file.seek(0, 2), flush=True)
for line in sys.stdin:
    start = time.perf_counter()
    with h5py.File(path, "r") as file:
        total = file[line.strip()][...].sum()
    print(time.perf_counter() - start, flush=True)
    assert total == 28.0
