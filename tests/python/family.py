"""How long h5py takes for one value of each of many files: makes them, then waits to be asked.

    family.py FOLDER FILES ARRAYS LENGTH

Each line of the input is answered with the seconds that it took to read them all.
"""

import sys
import time

import h5py
import numpy as np

folder, files, arrays, length = sys.argv[1], *map(int, sys.argv[2:5])
paths = [f"{folder}/{n}.h5" for n in range(files)]
for n, path in enumerate(paths):
    with h5py.File(path, "w") as file:
        for array in range(arrays):
            file.create_dataset(f"a{array}", data=np.arange(length, dtype="f8") + n * 1000 + array)
print("ready", flush=True)
for _ in sys.stdin:
    start = time.perf_counter()
    found = np.empty(files)
    for n, path in enumerate(paths):
        with h5py.File(path, "r") as file:
            found[n] = file["a25"][7]
    taken = time.perf_counter() - start
    assert (found == np.arange(files) * 1000.0 + 25 + 7).all()
    print(taken, flush=True)
