"""Writes FITS files of all kinds with astropy into the folder it runs in, and prints their names."""

import warnings

import numpy as np
from astropy.io import fits

warnings.simplefilter("ignore")


def images():
    numbers = np.arange(24).reshape(4, 6)
    primary = fits.PrimaryHDU(numbers.astype(">f4") / 3)
    header = primary.header
    header["BUNIT"] = "Jy / beam (x)"
    header["OBJECT"] = ("M 31 / 'more'", "what was seen")
    header["LONG"] = "x" * 200 + "'quoted' & " + "y" * 100
    header["HIERARCH ESO DET one.two"] = (2.5, "of words")
    header["COMPLEX"] = 1.5 - 2j
    header["NOTHING"] = None
    header["NO"] = False
    header["YES"] = True
    header["BIG"] = 2**63 + 2**40
    header["CTYPE1"], header["CTYPE2"] = "RA---TAN", "DEC--TAN"
    header["COMMENT"] = "a comment"
    header["HISTORY"] = "what was done"
    hdus = [primary]
    for version, dtype in enumerate(["u1", "i2", "i4", "i8", "f4", "f8"], 1):
        hdus.append(fits.ImageHDU(numbers.astype(dtype), name="SCI", ver=version))
    for dtype in ["i1", "u2", "u4", "u8"]:
        info = np.iinfo(dtype)
        values = np.array([info.min, info.max, 0, 1, info.max // 2, info.max // 2 + 1], dtype).reshape(2, 3)
        hdus.append(fits.ImageHDU(values, name="UNSIGNED " + dtype))
    for dtype in ["i2", "i4", "u1"]:
        scaled = fits.ImageHDU(numbers.astype(dtype), name="SCALED " + dtype)
        scaled.header["BSCALE"], scaled.header["BZERO"] = 0.25, -100.5
        hdus.append(scaled)
    blank = fits.ImageHDU(numbers.astype("i2"), name="BLANK")
    blank.header["BLANK"], blank.header["BSCALE"] = 7, 0.1
    hdus.append(blank)
    hdus.append(fits.ImageHDU(np.zeros((3, 0, 2), "i2")[:, :0], name="EMPTY"))
    hdus.append(fits.ImageHDU(numbers.astype("i2"), name="SCI", ver=3))
    hdus.append(fits.ImageHDU(numbers.astype("i2")))
    fits.HDUList(hdus).writeto("images.fits", checksum=True)


def tables():
    rows = 7
    number = np.arange(rows)
    column = fits.Column
    binary = fits.BinTableHDU.from_columns([
        column("logical", "L", array=number % 2 == 0),
        column("logicals", "3L", array=np.arange(3 * rows).reshape(rows, 3) % 3 == 0),
        column("bits", "11X", array=np.arange(11 * rows).reshape(rows, 11) % 2 == 0),
        column("bytes", "2B", array=np.arange(2 * rows).reshape(rows, 2)),
        column("short", "I", array=number, null=3),
        column("int", "J", unit="m/s", array=number * 1000),
        column("long", "K", array=number * 2**40, disp="I20"),
        column("text", "6A", array=np.array(["a", "bc", "def", "", "é"[:0], "ghijkl", " x"])),
        column("texts", "12A", dim="(4,3)", array=np.array([["ab", "c", "defg"]] * rows)),
        column("float", "E", array=number / 3),
        column("double", "2D", dim="(1,2)", array=(np.arange(2 * rows) / 7).reshape(rows, 2, 1)),
        column("matrix", "6E", dim="(3,2)", array=np.arange(6 * rows).reshape(rows, 2, 3)),
        column("complex", "C", array=number + 1j),
        column("complex16", "2M", array=np.arange(2 * rows).reshape(rows, 2) * 1j),
        column("nothing", "0D", array=np.zeros((rows, 0))),
        column("u2", "I", bzero=2**15, array=np.array([0, 1, 2**15, 2**16 - 1, 5, 6, 7], "u2")),
        column("u4", "J", bzero=2**31, array=np.array([0, 1, 2**31, 2**32 - 1, 5, 6, 7], "u4")),
        column("u8", "K", bzero=2**63, array=np.array([0, 1, 2**63, 2**64 - 1, 5, 6, 7], "u8")),
        column("i1", "B", bzero=-128, array=np.array([-128, -1, 0, 1, 127, 6, 7], "i1")),
        column("scaled", "I", array=number),
        column("cells", "PJ()", array=np.array([np.arange(n, dtype="i4") for n in [3, 0, 1, 5, 2, 2, 9]], object)),
        column("far cells", "QD()", array=np.array([np.arange(n) / 2 for n in [1, 2, 0, 0, 2, 2, 1]], object)),
        column("words", "PA()", array=np.array(["one", "", "three", "x", "y", "z", "seven"], object)),
    ], name="EVENTS")
    binary.header.comments["TTYPE5"] = "a short number"
    at = binary.columns.names.index("scaled") + 1
    binary.header[f"TSCAL{at}"], binary.header[f"TZERO{at}"] = 0.5, 10
    again = fits.BinTableHDU.from_columns([column("x", "E", array=number), column("X", "E", array=number)], name="EVENTS")
    again.header["EXTVER"] = 2
    again.header["TTYPE2"] = "x"
    ascii_table = fits.TableHDU.from_columns([
        column("name", "A6", array=np.array(["one", "two"])),
        column("int", "I8", array=np.array([-5, 700])),
        column("fixed", "F10.3", array=np.array([1.5, -2.25]), unit="s"),
        column("exp", "E15.6", array=np.array([1.5e10, -2.25e-10])),
        column("double", "D25.16", array=np.array([1 / 3, -2e200]), null="*"),
    ], name="ASCII")
    none = fits.BinTableHDU.from_columns([column("x", "E", array=np.zeros(0))], name="NO ROWS")
    fits.HDUList([fits.PrimaryHDU(), binary, again, ascii_table, none]).writeto("tables.fits", checksum=True)


def groups():
    data = np.arange(2 * 3 * 4).reshape(2, 1, 3, 4).astype("f4")
    made = fits.GroupData(data, bitpix=-32, parnames=["u", "date", "date"], pardata=[np.array(p, "f4") for p in ([1, 2], [3, 4], [5, 6])], parbscales=[0.5, 1, 1], parbzeros=[0, 10, 0])
    fits.GroupsHDU(made).writeto("groups.fits")


images()
tables()
groups()
print("images.fits\ntables.fits\ngroups.fits")
