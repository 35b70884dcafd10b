"""Appends records to a resizable data set of HDF5, made durable now and then; prints the seconds taken.

Arguments: the file, how many records, how many between two commits, how many at a time.
"""

import os
import sys
import time

import h5py
import numpy

path, records, commit, step = sys.argv[1], *map(int, sys.argv[2:])
with h5py.File(path, "w", libver="latest") as file:
    hist = file.create_dataset("hist", (0, 3), maxshape=(None, 3), chunks=(4096, 3), dtype="f8")
    descriptor = os.open(path, os.O_RDWR)
    file.flush()
    start = time.perf_counter()
    for at in range(0, records, step):
        hist.resize(at + step, axis=0)
        hist[at : at + step] = numpy.full((step, 3), at, "f8")
        if (at + step) % commit == 0:
            file.flush()
            os.fsync(descriptor)
    seconds = time.perf_counter() - start
    os.close(descriptor)
with h5py.File(path) as file:
    assert file["hist"].shape == (records, 3)
print(seconds)
