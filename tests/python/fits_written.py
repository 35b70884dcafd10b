"""Reads with astropy what `dudc convert` writes as FITS: fits_written.py DUDC FILE..., in a folder of its own.

Each file is written anew, as physical values and as stored ones; and arrays of numpy are written.
"""

import json
import pathlib
import subprocess
import sys
import warnings

import numpy as np
from astropy.io import fits

warnings.simplefilter("error")
warnings.simplefilter("ignore", fits.verify.VerifyWarning)
dudc, *files = sys.argv[1:]


def run(*arguments):
    done = subprocess.run([dudc, *arguments], capture_output=True, text=True)
    assert done.returncode == 0, (arguments, done.stderr)
    return done.stderr


def same(own, other, where):
    own, other = np.asarray(own), np.asarray(other)
    assert own.shape == other.shape, (where, own.shape, other.shape)
    if own.dtype.kind in "fc":
        assert np.allclose(own, other, rtol=1e-6, atol=0, equal_nan=True), where
    elif own.dtype.kind in "SU":
        assert (np.char.rstrip(own.astype(str)) == np.char.rstrip(other.astype(str))).all(), where
    else:
        assert (own == other).all(), (where, own, other)


def compare(source, written, **how):
    with fits.open(source, **how) as before, fits.open(written, **how) as after:
        after.verify("exception")
        by_name = {(hdu.name, hdu.ver): hdu for hdu in after[1:]}
        for number, hdu in enumerate(before):
            if number == 0:
                other = after[0]
            else:
                other = by_name[hdu.name or f"HDU{number}", hdu.ver]
            assert other.header.get("OBJECT") == hdu.header.get("OBJECT")
            if hdu.data is None or not hdu.data.size:
                continue
            if not isinstance(hdu, (fits.BinTableHDU, fits.TableHDU)):
                same(hdu.data, other.data, (source, number))
                continue
            if isinstance(hdu, fits.TableHDU) and "physical" not in str(written):
                continue  # Its columns are texts.
            for at, column in enumerate(hdu.columns):
                if column.format[0] not in "PQ" and "P" not in column.format and "Q" not in column.format:
                    same(hdu.data.field(at), other.data.field(at), (source, number, column.name))
                    assert column.unit == other.columns[at].unit, column.name


for file in files:
    run("convert", file, "physical.fits", "--force")
    run("convert", file, "stored.fits", "--force", "--stored")
    run("verify", "physical.fits")
    run("verify", "stored.fits")
    compare(file, "physical.fits")
    compare(file, "stored.fits")
    compare(file, "stored.fits", do_not_scale_image_data=True)

table = np.zeros(5, [("i1", "i1"), ("u2", "<u2"), ("u8", ">u8"), ("flag", "?"), ("name", "S4"), ("m", "<f4", (2, 3)), ("z", "<c16"), ("in", [("x", "<f8"), ("k", "<u4")])])
table["i1"], table["u2"], table["u8"] = [-128, -1, 0, 1, 127], [0, 1, 2**15, 2**16 - 1, 5], [0, 1, 2**63, 2**64 - 1, 5]
table["flag"], table["name"], table["z"] = [0, 1, 0, 1, 1], [b"a", b"", b"abcd", b"x", b"y"], np.arange(5) * (1 + 2j)
table["m"], table["in"]["x"], table["in"]["k"] = np.arange(30).reshape(5, 2, 3), np.arange(5) / 3, 2**32 - 1 - np.arange(5)
arrays = {
    "rho": np.arange(24, dtype="<f4").reshape(2, 3, 4),
    "u2": np.array([0, 1, 2**16 - 1], "u2"),
    "u8": np.array([0, 1, 2**64 - 1], "u8"),
    "i1": np.array([[-128, 127]], "i1"),
    "half": np.array([0.5, 1.5], "f2"),
    "complex": np.array([1 + 2j, 3j]),
    "names": np.array([b"one", b"three"]),
    "nothing": np.zeros((0, 3)),
    "table": table,
}
np.savez("arrays.npz", **arrays)
said = run("convert", "arrays.npz", "arrays.fits", "--force")
assert "half" in said, said
with fits.open("arrays.fits") as hdus:
    hdus.verify("exception")
    for name, expected in arrays.items():
        hdu = hdus[name]
        if name == "table":
            for column in "i1", "u2", "u8", "flag", "m", "z", "name":
                same(hdu.data[column], expected[column], column)
            same(hdu.data["in.x"], expected["in"]["x"], "in.x")
            same(hdu.data["in.k"], expected["in"]["k"], "in.k")
        elif name in ("complex", "names"):
            same(hdu.data[name], expected, name)
        elif expected.size:
            same(hdu.data, expected, name)
            assert hdu.data.dtype.kind == expected.dtype.kind, name
layout = """NAXIS : 5
BZERO : 6
WHAT : 7
u2 = u2[4]  #: _FillValue = 65535
scaled = u2[4]  #: scale_factor = 0.5, add_offset = 1
f4 = f4[2]  #: _FillValue = -999.0
columns = f8[2, 3]  #: order = "F", note = "a note"
rows = {n = u2  #: _FillValue = 7
}[2]
dict/  #: colour = "red"
  x = i2[2]
..
"""
values = {"u2": [0, 1, 32768, 65535], "scaled": [0, 1, 32768, 65535], "f4": [1, 2], "columns": [[1, 2, 3], [4, 5, 6]],
          "rows": [{"n": 7}, {"n": 65535}], "dict": {"x": [3, 4]}}
pathlib.Path("said.dud").write_text(layout)
pathlib.Path("said.json").write_text(json.dumps(values))
subprocess.run([dudc, "pack", "said.dud", "-o", "said.bd", "--attach", "--data", "said.json", "--force"], check=True)
said = run("convert", "said.bd", "said.fits", "--stored", "--force")
for lost in "`NAXIS`", "`BZERO`", "`/f4`: its `_FillValue`", "`/dict`: what is said of it":
    assert lost in said, (lost, said)
run("verify", "said.fits")
with fits.open("said.fits", do_not_scale_image_data=True) as hdus:
    hdus.verify("exception")
    assert hdus[0].header["NAXIS"] == 0 and "BZERO" not in hdus[0].header and hdus[0].header["WHAT"] == 7
    assert hdus["u2"].header["BLANK"] == 32767 and list(hdus["u2"].data) == [-32768, -32767, 0, 32767]
    assert hdus["rows"].header["TNULL1"] == 7 - 32768, hdus["rows"].header["TNULL1"]
    header = hdus["columns"].header
    assert (hdus["columns"].data == values["columns"]).all() and header["note"] == "a note" and "order" not in header
with fits.open("said.fits") as hdus:
    same(hdus["scaled"].data, [1, 1.5, 16385, 32768.5], "scaled")
    assert list(hdus["f4"].data) == [1, 2] and "BLANK" not in hdus["f4"].header
    assert list(hdus["dict/x"].data) == [3, 4]
print("written")
