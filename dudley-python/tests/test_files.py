"""Files written, converted, compared and verified: what the commands of `dudc` do, from Python."""

import errno
import os
import pickle
import subprocess
import sys
import warnings

import numpy as np
import pytest

import dudley


def tree():
    return {"rho": np.arange(12.0).reshape(3, 4), "n": np.array([1, 2, 3], "i4"), "d": {"x": np.float32([0.5, 1.5])}}


def same(f, expected):
    for name, array in expected.items():
        if isinstance(array, dict):
            same(f[name], array)
        else:
            np.testing.assert_array_equal(f[name].read(), array)


@pytest.mark.parametrize("ending", ["bd", "asdf", "nc", "h5", "npz", "fits"])
def test_every_format_is_written(tmp_path, ending):
    path = tmp_path / f"x.{ending}"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        dudley.write(path, tree(), units={"/rho": "g/cc"}, dims={"/rho": ["y", "x"]})
    f = dudley.open(path)
    found = {"rho": tree()["rho"], "n": tree()["n"]}
    if ending == "fits":
        for name, array in found.items():
            np.testing.assert_array_equal(next(v for k, v in f.items() if k.lower() == name).read(), array)
        return
    if ending == "asdf":
        # What has a unit is a quantity.
        assert f["rho"]["unit"] == "g/cc"
        found["rho"] = {"value": found["rho"]}
    same(f, found)
    if ending in ("bd", "nc", "h5"):
        assert f["rho"].unit == "g/cc"
    with pytest.raises(dudley.FileError):
        dudley.write(path, tree())
    assert os.listdir(tmp_path) == [path.name]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        dudley.write(path, {"rho": np.zeros(2)}, overwrite=True)
    np.testing.assert_array_equal(dudley.open(path)["rho"].read(), [0, 0])


def test_blosc2_is_written(tmp_path):
    array = np.arange(1000.0).reshape(20, 50)
    dudley.write(tmp_path / "x.b2nd", {"x": array}, codec="zstd:3", chunks=[10, 50])
    np.testing.assert_array_equal(dudley.open(tmp_path / "x.b2nd")["data"][5:7], array[5:7])
    blosc2 = pytest.importorskip("blosc2")
    assert blosc2.open(str(tmp_path / "x.b2nd")).chunks == (10, 50)


def test_masked_arrays_are_written_to_asdf(tmp_path):
    masked = np.ma.masked_array(np.arange(6000.0).reshape(2, 3000), np.arange(6000).reshape(2, 3000) % 7 == 0)
    given = {"m": masked, "q": masked[:, :3], "l": [{"v": masked[0, :4]}], "plain": np.arange(3)}
    dudley.write(tmp_path / "x.asdf", given, units={"/q": "m"}, codec="zlib")
    f = dudley.open(tmp_path / "x.asdf")
    for found, expected in [(f["m"], masked), (f["q"]["value"], masked[:, :3]), (f["l"][0]["v"], masked[0, :4])]:
        read = found.read()
        np.testing.assert_array_equal(np.ma.getmaskarray(read), expected.mask)
        assert read.tolist() == expected.tolist()
    assert f["q"]["unit"] == "m" and f["m"].codec == "zlib" and not f["plain"].is_masked
    asdf = pytest.importorskip("asdf")
    with asdf.open(tmp_path / "x.asdf") as file:
        np.testing.assert_array_equal(np.ma.getmaskarray(file["m"][...]), masked.mask)
    # No other file has masks.
    for name in ["x.bd", "x.nc"]:
        with pytest.raises(dudley.BadValue, match="masked"):
            dudley.write(tmp_path / name, given)
    dudley.write(tmp_path / "y.bd", {"m": np.ma.masked_array([1, 2], [False, False])})


def test_conversions(tmp_path):
    dudley.write(tmp_path / "x.bd", tree())
    dudley.convert(tmp_path / "x.bd", tmp_path / "x.asdf", codec="zlib")
    same(dudley.open(tmp_path / "x.asdf"), tree())
    dudley.convert(tmp_path / "x.asdf", tmp_path / "part.bd", ["/rho[1:]"])
    same(dudley.open(tmp_path / "part.bd"), {"rho": tree()["rho"][1:]})
    dudley.convert(tmp_path / "x.bd", tmp_path / "big.bd", order=">")
    assert dudley.open(tmp_path / "big.bd")["rho"].dtype == ">f8"
    with pytest.raises(dudley.FileError, match="exists"):
        dudley.convert(tmp_path / "x.bd", tmp_path / "big.bd")
    with pytest.raises(dudley.FileError):
        dudley.convert(tmp_path / "none.bd", tmp_path / "y.bd")
    with pytest.raises(dudley.BadValue):
        dudley.convert(tmp_path / "x.bd", tmp_path / "y.bd", to="nothing")
    with pytest.raises(dudley.BadValue):
        dudley.convert(tmp_path / "x.bd", tmp_path / "y.bd", compress=True)
    (tmp_path / "raw").write_bytes(bytes(range(6)))
    dudley.convert(tmp_path / "raw", tmp_path / "raw.npz", layout="x = u1[2, 3]\n", raw=True)
    assert np.load(tmp_path / "raw.npz")["x"].tolist() == [[0, 1, 2], [3, 4, 5]]


def test_missing_files_are_missing_files(tmp_path):
    with pytest.raises(FileNotFoundError) as caught:
        dudley.open(tmp_path / "none.bd")
    assert isinstance(caught.value, dudley.FileError) and caught.value.errno == errno.ENOENT
    again = pickle.loads(pickle.dumps(caught.value))
    assert type(again) is type(caught.value) and str(again) == str(caught.value) and again.errno == errno.ENOENT
    with pytest.raises(FileNotFoundError):
        dudley.convert(tmp_path / "none.bd", tmp_path / "x.npz")
    with pytest.raises(FileNotFoundError):
        dudley.create(tmp_path / "x.bd", "none.dud")
    (tmp_path / "x.bd").write_bytes(b"here")
    with pytest.raises(dudley.FileError) as caught:
        dudley.write(tmp_path / "x.bd", {"x": np.arange(3)})
    assert not isinstance(caught.value, FileNotFoundError)


def test_messages_name_the_options_of_python(tmp_path):
    with pytest.raises(dudley.BadValue, match="`to` says what to write") as caught:
        dudley.write(tmp_path / "q.xyz", {"x": np.arange(3)})
    assert "--" not in str(caught.value)
    dudley.write(tmp_path / "x.bd", {"x": np.arange(3)})
    (tmp_path / "x.npz").write_bytes(b"here")
    with pytest.raises(dudley.FileError, match="`overwrite` overwrites it"):
        dudley.convert(tmp_path / "x.bd", tmp_path / "x.npz")


def test_words_about_what_is_not_in_the_tree(tmp_path):
    with pytest.raises(dudley.NotFound, match="`units` names `x`, which is not in the tree: did you mean `/x`\\?"):
        dudley.write(tmp_path / "x.bd", {"x": np.arange(3)}, units={"x": "m"})
    with pytest.raises(dudley.NotFound, match="`units` names `/y`, which is not in the tree$"):
        dudley.write(tmp_path / "x.bd", {"x": np.arange(3)}, units={"/y": "m"})
    assert not (tmp_path / "x.bd").exists()


def test_what_is_lost_is_a_warning(tmp_path):
    dudley.write(tmp_path / "x.bd", {"x": np.arange(3)}, attrs={"/x": {"odd": 1}}, units={"/x": "m"})
    with pytest.warns(UserWarning):
        dudley.convert(tmp_path / "x.bd", tmp_path / "x.npz")


def test_differences(tmp_path):
    dudley.write(tmp_path / "a.bd", tree())
    other = tree()
    other["rho"][1, 2] += 1e-9
    dudley.write(tmp_path / "b.bd", other)
    dudley.convert(tmp_path / "a.bd", tmp_path / "a.asdf")
    assert dudley.diff(tmp_path / "a.bd", tmp_path / "a.asdf") == []
    (found,) = dudley.diff(tmp_path / "a.bd", tmp_path / "b.bd")
    assert found["path"] == "/rho"
    assert dudley.diff(tmp_path / "a.bd", tmp_path / "b.bd", rtol=1e-6) == []
    assert dudley.diff(tmp_path / "a.bd", tmp_path / "b.bd", ignore=["/rho"]) == []


def test_what_is_wrong_and_what_is_counted(tmp_path):
    dudley.write(tmp_path / "x.bd", tree())
    f = dudley.open(tmp_path / "x.bd")
    assert f.verify() == []
    counted = {item["path"]: item for item in f.stat()}
    assert counted["/rho"]["max"] == 11 and counted["/d/x"]["mean"] == 1
    assert [item["path"] for item in f.stat("/n")] == ["/n"]
    (tmp_path / "raw").write_bytes(bytes(3))
    wrong = dudley.open(tmp_path / "raw", layout="x = u1[9]", raw=True).verify()
    assert wrong and wrong[0]["severity"] == "error", wrong
    with pytest.raises(dudley.BadValue):
        dudley.open((tmp_path / "x.bd").read_bytes()).verify()


def test_the_command(tmp_path):
    dudley.write(tmp_path / "x.bd", tree())

    def run(*words):
        return subprocess.run([sys.executable, "-m", "dudley", *words], capture_output=True, text=True, cwd=tmp_path)

    listed = run("ls", "x.bd")
    assert listed.returncode == 0 and "/rho" in listed.stdout and not listed.stderr
    assert run("get", "x.bd", "/none").returncode == 1
    wrong = run("no-such-command")
    assert wrong.returncode == 2 and "no-such-command" in wrong.stderr


def test_numpy_is_imported_when_it_is_used():
    script = "import sys, dudley; assert 'numpy' not in sys.modules; dudley.write; assert 'numpy' in sys.modules"
    subprocess.run([sys.executable, "-c", script], check=True)


def test_references(tmp_path):
    dudley.write(tmp_path / "x.bd", tree())
    refs = dudley.to_kerchunk(tmp_path / "x.bd")["refs"]
    assert refs["rho/0.0"][0].endswith("x.bd") and refs["rho/0.0"][2] == 96
    pytest.importorskip("fsspec")
    zarr = pytest.importorskip("zarr")
    import fsspec

    fs = fsspec.filesystem("reference", fo={"version": 1, "refs": refs}, asynchronous=False)
    assert np.frombuffer(fs.cat("rho/0.0"))[5] == 5 and zarr


def test_tables(tmp_path):
    pd = pytest.importorskip("pandas")
    record = np.array([(1, 2.5), (3, 4.5)], [("a", ">i4"), ("b", "<f8")])
    history = [{"t": 0.1 * k, "e": np.array([k, -k], "i4"), "label": f"step {k}"} for k in range(4)]
    layout = {"history": history, "record": record, "x": np.arange(3), "empty": [], "two": np.eye(2)}
    dudley.write(tmp_path / "x.bd", layout, units={"/history/0/t": "us"})
    f = dudley.open(tmp_path / "x.bd")
    table = f["history"].to_pandas()
    assert list(table.columns) == ["t", "e[0]", "e[1]", "label"] and table.attrs["units"] == {"t": "us"}
    assert table["e[1]"].tolist() == [0, -1, -2, -3] and table["label"][2] == "step 2"
    pd.testing.assert_frame_equal(f["record"].to_pandas(), pd.DataFrame({"a": [1, 3], "b": [2.5, 4.5]}), check_dtype=False)
    assert f["x"].to_pandas()["x"].tolist() == [0, 1, 2]
    with pytest.raises(dudley.BadValue):
        f["two"].to_pandas()


def test_drawing(tmp_path):
    pytest.importorskip("matplotlib")
    from dudley.plot import main

    dudley.write(tmp_path / "x.bd", {**tree(), "cube": np.ones((2, 3, 4)), "text": np.array(["a"])}, units={"/rho": "g/cc"})
    for number, path in enumerate(["/rho", "/n", "/cube", "/d/x", "/rho[1]"]):
        assert main([str(tmp_path / "x.bd"), path, "-o", str(tmp_path / f"{number}.png")]) == 0
        assert (tmp_path / f"{number}.png").read_bytes()[1:4] == b"PNG"
    assert main([str(tmp_path / "x.bd"), "/none", "-o", "x.png"]) == 1
    assert main([str(tmp_path / "x.bd"), "/text", "-o", "x.png"]) == 1


def test_a_layout_that_may_be_cut_off_is_warned_of(tmp_path):
    path = tmp_path / "a.bd"
    dudley.write(path, {"rho": np.arange(5.0), "u": np.arange(4.0)})
    whole = path.read_bytes()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert dudley.open(path).remarks() == []
    # What is left says that `u` is one number.
    cut = whole[: whole.index(b"u = f8") + 6] if b"u = f8" in whole else whole[: whole.index(b"u = <f8") + 7]
    for given in (cut, tmp_path / "cut.bd"):
        if given is not cut:
            given.write_bytes(cut)
        with pytest.warns(UserWarning, match="may be cut off, and items with it"):
            f = dudley.open(given)
        assert "without its terminator" in f.remarks()[0]
