"""How long h5py takes to read one dataset of an HDF5 face and of a file of its own: hdf5_face.py FACE.

Writes the file of its own, then does what each line of its input says and answers with the seconds taken.
"""

import sys
import time

import h5py

face = sys.argv[1]
own = face + ".h5"
with h5py.File(face) as file, h5py.File(own, "w", libver="latest") as copy:
    for name, dataset in file.items():
        if not dataset.is_scale:
            made = copy.create_dataset(name, data=dataset[()])
            made.attrs["units"] = "m"

for line in sys.stdin:
    path = face if line.strip() == "face" else own
    start = time.perf_counter()
    with h5py.File(path) as file:
        file["a7777"][()]
    print(time.perf_counter() - start, flush=True)
