"""Files of ASDF in FITS files, as stdatamodels writes them, read by dudc and by astropy: asdf_in_fits.py DUDC"""

import subprocess
import sys
import warnings

import asdf
import numpy as np
from astropy.io import fits

warnings.simplefilter("ignore")
dudc = sys.argv[1]


def run(*arguments, code=0):
    done = subprocess.run([dudc, *arguments], capture_output=True, text=True)
    assert done.returncode == code, (arguments, done.returncode, done.stdout, done.stderr)
    return done.stdout + done.stderr


science = np.arange(24, dtype="f4").reshape(2, 3, 4) / 7
quality = np.array([[0, 1, 2**31], [2**32 - 1, 5, 6]], "u4")
counts = np.array([0, 1, 2**15, 2**16 - 1], "u2")
table = np.array([(1.5, 7, b"one"), (-2.5, 2**32 - 1, b"three")], [("WAVE", ">f8"), ("DQ", "u4"), ("NAME", "S5")])
inner = np.arange(5, dtype="<i8") * 3


def nd(source, dtype, shape, order="big"):
    return f"!core/ndarray-1.0.0 {{source: '{source}', datatype: {dtype}, byteorder: {order}, shape: {list(shape)}}}"


columns = """
  - {byteorder: big, datatype: float64, name: WAVE}
  - {byteorder: little, datatype: uint32, name: DQ}
  - datatype: [ascii, 5]
    name: NAME"""
tree = f"""#ASDF 1.0.0
#ASDF_STANDARD 1.5.0
%YAML 1.1
%TAG ! tag:stsci.edu:asdf/
--- !core/asdf-1.1.0
meta: {{telescope: JWST, exposure: {{time: 12.5}}}}
data: {nd("fits:SCI,1", "float32", science.shape)}
again: {nd("fits:SCI,2", "float32", science.shape)}
dq: {nd("fits:DQ,1", "uint32", quality.shape, "little")}
counts: {nd("fits:4", "uint16", counts.shape)}
spectrum: !core/ndarray-1.0.0
  source: 'fits:EXTRACT1D,1'
  shape: [2]
  datatype:{columns}
inner: !core/ndarray-1.0.0 {{source: 0, datatype: int64, byteorder: little, shape: [5]}}
gone: {nd("fits:NONE,1", "float32", [2])}
other: {nd("fits:SCI,1", "float64", science.shape)}
flat: {nd("fits:SCI,1", "float32", [24])}
...
"""
block = inner.tobytes()
header = b"\xd3BLK" + (48).to_bytes(2, "big") + bytes(8) + len(block).to_bytes(8, "big") * 3 + bytes(16)
whole = tree.encode() + header + block
sound = "\n".join(line for line in tree.split("\n") if line.split(":")[0] not in ("gone", "other", "flat"))


def hdus(embedded):
    second = fits.ImageHDU(science * 2, name="SCI")
    second.ver = 2
    return fits.HDUList([
        fits.PrimaryHDU(), fits.ImageHDU(science, name="SCI"), second, fits.ImageHDU(quality, name="DQ"),
        fits.ImageHDU(counts), fits.BinTableHDU(table, name="EXTRACT1D"), embedded,
    ])


def as_table(data):
    column = fits.Column("ASDF_METADATA", f"{len(data)}B", array=np.frombuffer(data, "u1")[None, :])
    return fits.BinTableHDU.from_columns([column], name="ASDF")


def as_image(data):
    return fits.ImageHDU(np.frombuffer(data, "u1"), name="ASDF")


expected = {"data": science, "again": science * 2, "dq": quality, "counts": counts, "spectrum": table, "inner": inner}
for embed in as_table, as_image:
    hdus(embed(whole)).writeto("x.fits", overwrite=True, checksum=True)
    with fits.open("x.fits") as opened:
        # What is expected is what astropy reads.
        for name, hdu in {"data": opened["SCI", 1], "dq": opened["DQ"], "counts": opened[4]}.items():
            assert np.array_equal(hdu.data, expected[name]), name
    for name, array in expected.items():
        run("get", "x.fits", f"/{name}", "-o", "out.npy", "--force")
        got = np.load("out.npy")
        assert got.shape == array.shape, (name, got.shape)
        if array.dtype.names:
            for field in array.dtype.names:
                assert np.array_equal(got[field], array[field]), (name, field, got[field])
        else:
            assert got.dtype.kind == array.dtype.kind and np.array_equal(got, array), (name, got)
    listed = run("ls", "x.fits")
    assert all(f"/{name}" in listed for name in expected), listed
    assert "JWST" in run("dump", "x.fits", "/meta") and "4294967295" in run("stat", "x.fits", "/dq")
    for name, why in {"gone": "no HDU `NONE,1`", "other": "the tree says", "flat": "the tree says"}.items():
        said = run("get", "x.fits", f"/{name}", code=1)
        assert why in said, said
    said = run("verify", "x.fits", code=1)
    assert "NONE,1" in said and "fits-checksum" not in said, said

    hdus(embed(sound.encode() + header + block)).writeto("good.fits", overwrite=True, checksum=True)
    run("verify", "good.fits")
    described = run("describe", "good.fits")
    assert "SCI" in described and "EXTRACT1D" in described, described
    run("convert", "good.fits", "good.asdf", "--force")
    with asdf.open("good.asdf") as file:
        assert file["meta"]["telescope"] == "JWST" and file["meta"]["exposure"]["time"] == 12.5
        for name in "data", "again", "dq", "counts", "inner":
            assert np.array_equal(file[name], expected[name]), name
        assert np.array_equal(file["spectrum"]["DQ"], table["DQ"])
    run("convert", "good.fits", "good.npz", "--force")
    with np.load("good.npz") as arrays:
        assert np.array_equal(arrays["dq"], quality), list(arrays)
    # A byte of an HDU is another one.
    damaged = bytearray(open("good.fits", "rb").read())
    damaged[damaged.index(science.astype(">f4").tobytes()) + 1] ^= 1
    open("damaged.fits", "wb").write(damaged)
    assert "fits-datasum" in run("verify", "damaged.fits", code=1)
print("read")
