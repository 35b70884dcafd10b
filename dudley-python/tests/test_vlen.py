"""Texts and sequences of variable length in HDF5 files."""

import subprocess
import sys

import dudley
import h5py
import numpy as np
import pytest
import xarray as xr


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "vlen.h5"
    with h5py.File(path, "w") as file:
        file["names"] = np.array(["alpha", "beta", "ünï", ""], dtype=object)
        file["one"] = "a text"
        text = h5py.string_dtype()
        file.create_dataset("chunked", data=[["a", "bb"], ["ccc", "d"]], dtype=text, chunks=(1, 2), compression="gzip")
        file.create_dataset("many", data=[f"name{i}" for i in range(5000)], dtype=text)
        sequences = file.create_dataset("sequences", 3, h5py.vlen_dtype(">i4"))
        sequences[0], sequences[1] = [1, 2, 3], [4]
        of = np.dtype([("x", "<f8"), ("label", text), ("at", "<i2", 2)])
        structs = np.array([(1.5, "first", (1, 2)), (2.5, "second", (3, 4))], of)
        file.create_dataset("structs", data=structs)
        file.create_dataset("packed", data=structs, chunks=(1,), compression="gzip")
    return path


def test_texts_are_those_of_h5py(path):
    with dudley.open(path) as file, h5py.File(path) as other:
        for name in ("names", "chunked", "many"):
            array = file[name]
            assert array.dtype == object
            np.testing.assert_array_equal(array[:], other[name].asstr()[:])
            np.testing.assert_array_equal(array[1:, ...], other[name].asstr()[1:])
        assert str(file["one"]) == "a text"
        assert file["names"][2] == "ünï"
        assert list(file["names"][[0, 3]]) == ["alpha", ""]
        assert file["names"].read(dtype="U5").dtype == "U5"
        with pytest.raises(dudley.Error, match="in place"):
            file["names"].view()


def test_sequences_are_arrays(path):
    with dudley.open(path) as file:
        found = file["sequences"][:]
        assert [list(one) for one in found] == [[1, 2, 3], [4], []]
        assert found[0].dtype == "i4"


def test_fields_of_structs_are_texts(path):
    with dudley.open(path) as file, h5py.File(path) as other:
        structs = file["structs"][:]
        assert structs.dtype.names == ("x", "label", "at")
        assert list(structs["label"]) == ["first", "second"]
        np.testing.assert_array_equal(structs["at"], other["structs"]["at"])
        assert list(file["structs"]["label"][:]) == ["first", "second"]
        assert list(file["packed"]["label"][:]) == list(file["packed"][:]["label"]) == ["first", "second"]


def test_xarray_has_texts_and_leaves_sequences_out(path, tmp_path):
    with pytest.warns(UserWarning, match="sequences"):
        dataset = xr.open_dataset(path, engine="dudley")
    assert list(dataset.names.values) == ["alpha", "beta", "ünï", ""]
    assert list(dataset.names[1:3].values) == ["beta", "ünï"]
    assert "sequences" not in dataset and "vlen" not in dataset.names.attrs
    dataset.dudley.to_file(tmp_path / "again.bd")
    with dudley.open(tmp_path / "again.bd") as file:
        assert list(file["names"][:]) == ["alpha", "beta", "ünï", ""]
        assert file["structs"][1]["label"] == "second"


def test_conversions_have_the_texts(path, tmp_path):
    for name in ("to.bd", "to.h5", "to.asdf"):
        with pytest.warns(UserWarning):
            dudley.convert(path, tmp_path / name)
        with dudley.open(tmp_path / name) as file:
            assert [str(text) for text in file["names"][:3]] == ["alpha", "beta", "ünï"]
            assert file["structs"][0]["label"] in ("first", b"first")
            np.testing.assert_array_equal(file["packed"][:], file["structs"][:])


def test_a_place_that_the_heap_does_not_have_is_an_error(path, tmp_path):
    data = bytearray(path.read_bytes())
    with h5py.File(path) as file:
        at = file["names"].id.get_offset()
    data[at + 12 : at + 16] = (999).to_bytes(4, "little")
    damaged = tmp_path / "damaged.h5"
    damaged.write_bytes(data)
    with dudley.open(damaged) as file:
        with pytest.raises(dudley.Error, match="no object 999"):
            file["names"][:]
        assert list(file["names"][1:3]) == ["beta", "ünï"]
        assert str(file["one"]) == "a text"


def test_differences_are_those_of_the_texts(tmp_path):
    for name, text in (("a.h5", "alpha"), ("b.h5", "alphb"), ("c.h5", "alpha")):
        with h5py.File(tmp_path / name, "w") as file:
            # The same places, whatever they hold.
            file["names"] = np.array([text, "x"], dtype=object)
    command = [sys.executable, "-m", "dudley", "diff", tmp_path / "a.h5"]
    assert subprocess.run([*command, tmp_path / "c.h5"]).returncode == 0
    assert subprocess.run([*command, tmp_path / "b.h5"], capture_output=True).returncode == 1
