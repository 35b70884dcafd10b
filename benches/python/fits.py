"""How long astropy takes to read arrays of FITS files: fits.py FOLDER.

Writes the files, says 0, then does what each line of its input says and answers with the seconds taken.
"""

import sys
import time

import numpy
from astropy.io import fits

folder = sys.argv[1]
numbers = numpy.arange(1 << 27, dtype="i8").astype("i2").reshape(8192, 16384)
scaled = fits.PrimaryHDU(numbers)
scaled.header["BSCALE"], scaled.header["BZERO"] = 0.5, 100.0
scaled.writeto(f"{folder}/scaled.fits")
fits.PrimaryHDU(numbers.view("u2")).writeto(f"{folder}/unsigned.fits")
fits.PrimaryHDU(numpy.zeros((8192, 8192), "f4")).writeto(f"{folder}/plain.fits")
table = numpy.zeros(1_000_000, [("a", "i4"), ("x", "f8"), ("rest", "S36")])
table["x"] = numpy.arange(len(table))
fits.HDUList([fits.PrimaryHDU(), fits.BinTableHDU(table, name="T")]).writeto(f"{folder}/table.fits")
del numbers, scaled, table
print(0, flush=True)


def image(name):
    with fits.open(f"{folder}/{name}.fits") as hdus:
        data = hdus[0].data
        # In the byte order of the machine, and no more a part of the file.
        return data.astype(data.dtype.newbyteorder("=")) if data.dtype.byteorder == ">" else numpy.array(data, copy=False)


def column():
    with fits.open(f"{folder}/table.fits") as hdus:
        return hdus["T"].data["x"].astype("=f8")


for line in sys.stdin:
    word = line.strip()
    start = time.perf_counter()
    found = column() if word == "column" else image(word)
    taken = time.perf_counter() - start
    # Memory is given back before the next, outside of what is measured.
    del found
    print(taken, flush=True)
