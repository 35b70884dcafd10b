"""Arrays for a program in Fortran: fortran.py write|compare FOLDER.

Each array is a file of numpy and an item of an HDF5 file. The program writes the shape that it sees, and the elements
in the order of its memory.
"""

import sys
from pathlib import Path

import h5py
import numpy

ARRAYS = {
    "one": numpy.arange(5, dtype="<f8") / 4,
    "two": numpy.arange(6, dtype=">i4").reshape(2, 3) - 3,
    "three": numpy.asfortranarray(numpy.arange(24, dtype="<f4").reshape(2, 3, 4)),
    "four": (numpy.arange(120) + 1j * numpy.arange(120)[::-1]).reshape(2, 3, 4, 5),
    "seven": numpy.arange(2 * 3 * 4 * 2 * 3 * 2 * 2, dtype="<i8").reshape(2, 3, 4, 2, 3, 2, 2),
}

what, folder = sys.argv[1], Path(sys.argv[2])
if what == "write":
    with h5py.File(folder / "all.h5", "w") as file:
        for name, array in ARRAYS.items():
            numpy.save(folder / f"{name}.npy", array)
            chunks = tuple((size + 1) // 2 for size in array.shape)
            file.create_dataset(name, data=array, chunks=chunks, compression="gzip", shuffle=True)
else:
    for name, array in ARRAYS.items():
        for format in "npy", "h5":
            shape, element = (folder / f"{name}.{format}.txt").read_text().splitlines()
            assert tuple(map(int, shape.split())) == array.shape[::-1], (name, format, shape)
            # x(2, 1, …) of Fortran.
            assert float(element) == array[(0,) * (array.ndim - 1) + (1,)].real, (name, format, element)
            found = numpy.fromfile(folder / f"{name}.{format}.raw", array.dtype.newbyteorder("="))
            expected = array.T.reshape(-1, order="F")
            assert numpy.array_equal(found, expected), (name, format)
    print(f"{len(ARRAYS)} arrays")
