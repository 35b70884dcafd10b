"""Files of other formats, beside the libraries that are made for them."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import dudley


def test_no_file_of_the_corpus_ends_python(foreign):
    """Whatever is in a file, it opens or raises: a process for all, since a crash ends it."""
    script = """
import faulthandler, sys, dudley
faulthandler.enable()
def walk(item, left):
    if isinstance(item, dudley.Dict):
        for name in list(item)[:20]:
            try:
                walk(item[name], left)
            except (dudley.Error, RecursionError):
                pass
    elif isinstance(item, dudley.Array) and item.nbytes < 1 << 20:
        for read in (item.read, item.view, item.value, item.__repr__):
            try:
                read()
            except (dudley.Error, MemoryError, RecursionError):
                pass
opened = 0
for path in sys.stdin.read().splitlines():
    try:
        walk(dudley.open(path), 3)
        opened += 1
    except (dudley.Error, RecursionError) as error:
        assert str(error)
print(opened)
"""
    files = [path for path in sorted(foreign.parent.rglob("*")) if path.is_file() and path.stat().st_size < 1 << 22]
    done = subprocess.run([sys.executable, "-c", script], input="\n".join(map(str, files)), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]
    assert int(done.stdout) > 100


def test_netcdf3_is_as_netcdf4_reads_it(foreign):
    netCDF4 = pytest.importorskip("netCDF4")
    compared = 0
    for path in sorted(foreign.rglob("*.nc")):
        try:
            f = dudley.open(path)
        except dudley.Error:
            continue
        if f.format != "netcdf3" or "bad" in path.name:
            continue
        with netCDF4.Dataset(path) as other:
            other.set_auto_maskandscale(False)
            for name, variable in other.variables.items():
                if variable.dtype.kind == "S" or variable.size > 1 << 20:
                    continue
                found = f[f'/"{name}"'] if "/" in name else f[name]
                np.testing.assert_array_equal(found.read(), variable[...])
                compared += 1
    assert compared > 50


def test_asdf_is_as_asdf_reads_it(tmp_path):
    asdf = pytest.importorskip("asdf")
    rng = np.random.default_rng(5)
    masked = np.ma.masked_array(np.arange(4.0), [False, True, False, False])
    tree = {"a": rng.normal(size=(3, 4)), "b": {"c": np.arange(5, dtype=">i2"), "d": "text", "e": [1, 2.5, None]}}
    path = tmp_path / "x.asdf"
    asdf.AsdfFile({**tree, "m": masked}).write_to(path)
    f = dudley.open(path)
    np.testing.assert_array_equal(f["a"].read(), tree["a"])
    np.testing.assert_array_equal(f["a"].view(), tree["a"])
    np.testing.assert_array_equal(f["/b/c[1:3]"].read(), [1, 2])
    assert f["b"]["d"] == "text" and f["b"]["e"].value() == [1, 2.5, None]
    read = f["m"].read()
    np.testing.assert_array_equal(np.ma.getmaskarray(read), masked.mask)
    assert f["m"].value() == [0, None, 2, 3]


def test_blosc2_is_as_blosc2_reads_it(tmp_path):
    blosc2 = pytest.importorskip("blosc2")
    array = np.arange(1000, dtype="<i4").reshape(20, 50)
    path = tmp_path / "x.b2nd"
    blosc2.asarray(array, urlpath=str(path), mode="w")
    f = dudley.open(path)
    found = next(item for item in f.values() if isinstance(item, dudley.Array) and item.shape == (20, 50))
    np.testing.assert_array_equal(found[3:7, ::5], array[3:7, ::5])


def test_npy_npz_and_folders(tmp_path):
    np.save(tmp_path / "a.npy", np.asfortranarray(np.arange(6.0).reshape(2, 3)))
    np.savez_compressed(tmp_path / "b.npz", x=np.arange(3), y=np.eye(2))
    a = dudley.open(tmp_path / "a.npy")
    (only,) = a.values()
    np.testing.assert_array_equal(only[1], [3, 4, 5])
    np.testing.assert_array_equal(dudley.open(tmp_path / "b.npz")["y"].read(), np.eye(2))


def test_a_file_that_is_open_and_bytes(tmp_path):
    path = tmp_path / "x.bd"
    dudley.write(path, {"x": np.arange(3)})
    with open(path, "rb") as file:
        assert dudley.open(file)["x"].read().tolist() == [0, 1, 2]
    assert dudley.open(path.read_bytes())["x"].view().tolist() == [0, 1, 2]
    assert Path(dudley.open(path).filename).name == "x.bd"


def test_hdf5_is_as_h5py_reads_it(tmp_path):
    h5py = pytest.importorskip("h5py")
    rng = np.random.default_rng(9)
    arrays = {
        "plain": rng.normal(size=(4, 5)),
        "big": np.arange(6, dtype=">i4").reshape(2, 3),
        "chunked": rng.integers(0, 99, size=(30, 41)).astype("i2"),
        "record": np.array([(1, 2.5), (3, 4.5)], [("a", "<i4"), ("b", "<f8")]),
    }
    with h5py.File(tmp_path / "x.h5", "w") as file:
        for name, array in arrays.items():
            how = {"chunks": (7, 10), "compression": "gzip", "shuffle": True} if name == "chunked" else {}
            file.create_dataset(f"group/{name}", data=array, **how)
        file["group/plain"].attrs["units"] = "K"
    f = dudley.open(tmp_path / "x.h5")
    for name, array in arrays.items():
        np.testing.assert_array_equal(f[f"/group/{name}"].read(), array)
    np.testing.assert_array_equal(f["group"]["chunked"][3:25:4, ::-3], arrays["chunked"][3:25:4, ::-3])
    assert f["/group/plain"].unit == "K"


def test_hdf5_by_its_layout_alone(tmp_path):
    h5py = pytest.importorskip("h5py")
    x = np.arange(12, dtype=">f4").reshape(3, 4)
    record = np.array([(1, 2.5), (3, 4.5)], [("a", "<i4"), ("b", "<f8")])
    with h5py.File(tmp_path / "x.h5", "w") as file:
        file["group/x"], file["record"] = x, record
    layout = dudley.open(tmp_path / "x.h5").layout
    f = dudley.open(tmp_path / "x.h5", layout=layout, raw=True)
    assert f.format == "raw" and f.layout == layout
    np.testing.assert_array_equal(f["/group/x"].view(), x)
    np.testing.assert_array_equal(f["/record"][1:], record[1:])
    (tmp_path / "x.dud").write_text(layout)
    np.testing.assert_array_equal(dudley.open(tmp_path / "x.h5", layout=tmp_path / "x.dud", raw=True)["/group/x"][2], x[2])


def test_integers_of_12_bits(tmp_path):
    h5py = pytest.importorskip("h5py")
    values = np.array([-5, 7], "<i2")
    with h5py.File(tmp_path / "x.h5", "w") as file:
        kind = h5py.h5t.STD_I16LE.copy()
        kind.set_precision(12)
        space = h5py.h5s.create_simple(values.shape)
        h5py.h5d.create(file.id, b"x", kind, space).write(h5py.h5s.ALL, h5py.h5s.ALL, values.copy())
    # Their sign is bit 11: as integers of two bytes they would be others, so they are bytes.
    np.testing.assert_array_equal(dudley.open(tmp_path / "x.h5")["x"].read(), [[0xFB, 0x0F], [7, 0]])


def test_asdf_in_fits(tmp_path):
    fits = pytest.importorskip("astropy.io.fits")
    science = np.arange(6, dtype="f4").reshape(2, 3)
    array = "!core/ndarray-1.0.0 {source: 'fits:SCI,1', datatype: float32, byteorder: big, shape: [2, 3]}"
    tree = f"#ASDF 1.0.0\n%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n---\nmeta: {{telescope: JWST}}\ndata: {array}\n...\n"
    embedded = fits.ImageHDU(np.frombuffer(tree.encode(), "u1"), name="ASDF")
    fits.HDUList([fits.PrimaryHDU(), fits.ImageHDU(science, name="SCI"), embedded]).writeto(tmp_path / "x.fits")
    f = dudley.open(tmp_path / "x.fits")
    assert f.format == "asdf" and f["meta"]["telescope"] == "JWST"
    np.testing.assert_array_equal(f["data"].read(), science)
    np.testing.assert_array_equal(f["/data[1, ::2]"].read(), science[1, ::2])


def test_an_array_that_is_not_read_keeps_nobody_from_the_others(tmp_path):
    np.savez(tmp_path / "o.npz", a=np.arange(3), b=np.array([{}, 1], dtype=object))
    with dudley.open(tmp_path / "o.npz") as file:
        assert list(file) == ["a"] and list(file["a"][:]) == [0, 1, 2]
        assert ["Python objects" in finding["message"] for finding in file.verify()] == [True]
    with pytest.warns(UserWarning, match="left out"):
        dudley.convert(tmp_path / "o.npz", tmp_path / "o.bd")
    with dudley.open(tmp_path / "o.bd") as file:
        assert list(file["a"][:]) == [0, 1, 2]
    np.savez(tmp_path / "none.npz", b=np.array([{}, 1], dtype=object))
    with pytest.raises(dudley.Error, match="Python objects"):
        dudley.open(tmp_path / "none.npz")


def test_an_empty_file_is_of_no_format(tmp_path):
    (tmp_path / "empty").write_bytes(b"")
    with pytest.raises(dudley.Error, match="empty file"):
        dudley.open(tmp_path / "empty")
