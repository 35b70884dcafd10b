"""Writes `many.h5`, with h5py 3.16: arrays in more chunks than are looked up at once, by each kind of index, and groups of
many objects. Element [i, j] of each array is (31 i + j) % 251; where i % 7 is 3 nothing is written, and the fill value is 9."""

import h5py
import numpy

ROWS, COLUMNS = 1500, 4
values = (31 * numpy.arange(ROWS)[:, None] + numpy.arange(COLUMNS)) % 251


def fill(dataset):
    for row in range(ROWS):
        if row % 7 != 3:
            dataset[row] = values[row]


with h5py.File("many.h5", "w", libver="latest") as file:
    file.attrs["title"] = "many chunks"
    kinds = {
        "fixed": (ROWS, COLUMNS),
        "extensible": (None, COLUMNS),
        "tree": (None, None),
        "columns": (ROWS, None),
    }
    for name, most in kinds.items():
        chunk = (1, COLUMNS)
        made = file.create_dataset(f"new/{name}", (ROWS, COLUMNS), "u1", chunks=chunk, maxshape=most, fillvalue=9)
        fill(made)
    packed = file.create_dataset("new/packed", (ROWS, COLUMNS), "u1", chunks=(1, COLUMNS), fletcher32=True, fillvalue=9)
    fill(packed)
    dense = file.create_group("dense")
    for number in range(100):
        dense[f"n{number}"] = numpy.uint8(number)
    dense["again"] = dense["n5"]
    dense["soft"] = h5py.SoftLink("/dense/n6")
    x = file.create_dataset("x", data=numpy.arange(4, dtype="u1"))
    x.make_scale("x")
    file["new/fixed"].dims[1].attach_scale(x)
    file["sub/one/two"] = numpy.uint8(7)
    file["sub/one/up"] = file["sub"]
    file["other"] = file["sub/one"]
with h5py.File("old.h5", "w", libver="earliest") as file:
    made = file.create_dataset("old/tree", (ROWS, COLUMNS), "u1", chunks=(1, COLUMNS), fillvalue=9)
    fill(made)
    symbols = file.create_group("symbols")
    for number in range(100):
        symbols[f"n{number}"] = numpy.uint8(number)
