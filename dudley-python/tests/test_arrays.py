"""Arrays as numpy has them: any key, any type, in place or not."""

import gc
import pickle
import random
import threading

import numpy as np
import pytest

import dudley

RECORD = np.dtype([("id", "<i4"), ("ok", "?"), ("x", ">f8", (2,)), ("name", "S4")])


def tree():
    rng = np.random.default_rng(3)
    record = np.zeros(5, RECORD)
    record["id"], record["ok"] = range(5), [True, False, True, True, False]
    record["x"], record["name"] = rng.normal(size=(5, 2)), [b"a", b"bc", b"", b"defg", b"h"]
    return {
        "cube": rng.normal(size=(4, 5, 6)),
        "big": rng.normal(size=(7, 3)).astype(">f4"),
        "ints": np.arange(-60, 60, dtype=np.int16).reshape(2, 3, 4, 5),
        "complex": (rng.normal(size=6) + 1j).astype(np.complex64),
        "flags": np.array([[True, False], [False, True]]),
        "text": np.array(["alpha", "be", "gämma"]),
        "scalar": np.float64(2.5),
        "empty": np.zeros((0, 3)),
        "times": np.array(["2026-01-02", "2026-03-04"], "datetime64[s]"),
        "record": record,
        "dict": {"inner": np.arange(3, dtype=np.uint8)},
        "list": [{"t": 0.5 * k, "v": np.full((2, 2), k, np.int32)} for k in range(5)],
    }


@pytest.fixture
def run(tmp_path):
    path = tmp_path / "run.bd"
    dudley.write(path, tree(), params={"N": 5}, units={"/cube": "g/cc"}, docs={"/cube": "a cube", "/": "all"})
    return path


def keys(shape, rng):
    """Random keys of numpy for a shape."""
    def one(length):
        kind = rng.randrange(4)
        if kind == 0 and length:
            return rng.randrange(-length, length)
        if kind == 1 and length:
            return [rng.randrange(-length, length) for _ in range(3)]
        bound = lambda: rng.choice([None, *range(-length - 2, length + 3)])
        return slice(bound(), bound(), rng.choice([None, 1, 2, -1, -3]))

    for _ in range(60):
        front = rng.randrange(len(shape) + 1)
        key = [one(length) for length in shape[:front]]
        if rng.random() < 0.3:
            back = rng.randrange(len(shape) - front + 1)
            key += [Ellipsis, *(one(length) for length in shape[len(shape) - back :])]
        yield tuple(key) if len(key) != 1 or rng.random() < 0.5 else key[0]


@pytest.mark.parametrize("mmap", [True, False])
def test_keys_are_those_of_numpy(run, mmap):
    rng, f = random.Random(7), dudley.open(run, mmap=mmap)
    for name, expected in tree().items():
        if isinstance(expected, (dict, list)):
            continue
        expected = np.asarray(expected)
        array = f[name]
        assert array.shape == expected.shape and array.ndim == expected.ndim
        np.testing.assert_array_equal(array.read(), expected)
        assert array.read().dtype == expected.dtype.newbyteorder("="), name
        for key in keys(expected.shape, rng):
            wanted = expected[key]
            np.testing.assert_array_equal(array[key], wanted, err_msg=f"{name}[{key}]")
            assert np.shape(array[key]) == np.shape(wanted), f"{name}[{key}]"


def test_columns_of_lists(run):
    f = dudley.open(run)
    np.testing.assert_array_equal(f["/list[:]/t"][:], [0, 0.5, 1, 1.5, 2])
    np.testing.assert_array_equal(f["list"]["v"][1:4, 0, ::-1], [[k, k] for k in range(1, 4)])
    np.testing.assert_array_equal(f["/list[::2]/v"].read()[:, 1, 1], [0, 2, 4])
    assert [item["t"].read().item() for item in f["list"]] == [0, 0.5, 1, 1.5, 2]
    assert len(f["list"][1:3]) == 2 and f["list"][-1]["v"].shape == (2, 2)


def test_columns_of_records_that_differ_in_size():
    layout = "N : i4  l [/ n : u1  t = u1  x = u1[n]]*N"
    data = np.array([3], "<i4").tobytes() + bytes([1, 10, 0, 2, 20, 0, 0, 0, 30])
    f = dudley.open(data, layout=layout, raw=True)
    t = f["/l[:]/t"]
    np.testing.assert_array_equal(t.read(), [10, 20, 30])
    np.testing.assert_array_equal(t[::-2], [30, 10])
    assert t[1] == 20 and t[5:].shape == (0,)
    with pytest.raises(IndexError):
        t[3]


def test_masks_and_fields(run):
    f, expected = dudley.open(run), tree()
    mask = expected["cube"] > 0
    np.testing.assert_array_equal(f["cube"][mask], expected["cube"][mask])
    np.testing.assert_array_equal(f["ints"][:, [0, 2], 1], expected["ints"][:, [0, 2], 1])
    np.testing.assert_array_equal(f["record"]["x"][1:3], expected["record"]["x"][1:3])
    np.testing.assert_array_equal(f["/record.id"].read(), range(5))
    with pytest.raises(IndexError):
        f["cube"][np.zeros((4, 4), bool)]


def test_views(run):
    f, expected = dudley.open(run), tree()
    for name in ["cube", "big", "ints", "complex", "times", "empty"]:
        view = f[name].view()
        np.testing.assert_array_equal(view, expected[name])
        assert view.dtype == expected[name].dtype and not view.flags.writeable
        with pytest.raises(ValueError):
            view[...] = 0
    column = f["cube"].view()[:, 1, ::2]
    np.testing.assert_array_equal(column, expected["cube"][:, 1, ::2])
    np.testing.assert_array_equal(f["/list[:]/t"].view(), [0, 0.5, 1, 1.5, 2])
    f.close()
    del f
    gc.collect()
    np.testing.assert_array_equal(column, expected["cube"][:, 1, ::2])
    with pytest.raises(dudley.BadValue):
        dudley.open(run, mmap=False)["cube"].view()
    # Booleans may be any byte in a file.
    with pytest.raises(dudley.BadValue):
        dudley.open(run)["flags"].view()


def test_booleans_are_0_and_1():
    f = dudley.open(bytes([0, 1, 2, 255]), layout="x = b1[4]", raw=True)
    read = f["x"].read()
    np.testing.assert_array_equal(read.view("u1"), [0, 1, 1, 1])
    np.testing.assert_array_equal(f["x"][1:].view("u1"), 1)


def test_types_that_numpy_has_not():
    half = np.array([1.5, -2, 0.25, 8], "<f2")
    f = dudley.open(half.tobytes(), layout="c = c4[2]", raw=True)
    read = f["c"].read()
    np.testing.assert_array_equal(read.reshape(-1), half)
    np.testing.assert_array_equal(f["c"][1], half[2:])
    with pytest.raises(dudley.BadValue):
        f["c"].view()
    f = dudley.open(bytes([1, 7, 2, 8, 9]), layout="s = {n : u1 d = u1[n]}[2]", raw=True)
    assert f["s"].value() == [{"n": 1, "d": [7]}, {"n": 2, "d": [8, 9]}]
    assert f["s"][1] == {"n": 2, "d": [8, 9]}


def test_views_of_the_layout():
    f = dudley.open(bytes(range(6)), layout='x = u1[2, 3]  #: order = "F"', raw=True)
    expected = np.arange(6, dtype="u1").reshape(3, 2).T
    for found in [f["x"].read(), f["x"].view(), f["x"][:]]:
        np.testing.assert_array_equal(found, expected)
    np.testing.assert_array_equal(f["x"][1, ::-1], expected[1, ::-1])


def test_reading_into_arrays(run):
    array, expected = dudley.open(run)["cube"], tree()["cube"]
    out = np.zeros((4, 5, 6))
    assert array.read(out=out) is out
    np.testing.assert_array_equal(out, expected)
    small = np.zeros((4, 5, 6), "f4")
    array.read(out=small)
    np.testing.assert_array_equal(small, expected.astype("f4"))
    strided = np.zeros((8, 5, 6))[::2]
    array.read(out=strided)
    np.testing.assert_array_equal(strided, expected)
    np.testing.assert_array_equal(array.read(dtype="f4"), expected.astype("f4"))
    with pytest.raises(ValueError, match="shape"):
        array.read(out=np.zeros(3))
    out.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        array.read(out=out)


def test_what_is_said(run):
    f = dudley.open(run)
    cube = f["cube"]
    assert (cube.unit, cube.doc, cube.dtype_name) == ("g/cc", "a cube", "<f8")
    assert f.params == {"N": 5} and f.doc == "all" and "cube" in f and "no" not in f
    assert "cube  <f8[4, 5, 6] (g/cc)  a cube" in f.tree() and "<table>" in f._repr_html_()
    assert float(f["scalar"]) == 2.5 and f["scalar"][()] == 2.5
    assert f["text"][2] == "gämma"
    assert cube.nbytes == 960 and cube.size == 120 and cube.address >= 16


def test_errors(run, tmp_path):
    f = dudley.open(run)
    with pytest.raises(KeyError, match="did you mean `cube`"):
        f["cubes"]
    with pytest.raises(dudley.NotFound):
        f["/cube/no"]
    for key in [99, (0, 0, 0, 0), slice(None, None, 0), None]:
        with pytest.raises((IndexError, ValueError)):
            f["cube"][key]
    with pytest.raises(dudley.LayoutError, match=r"x = f8\["):
        dudley.open(b"abc", layout="x = f8[", raw=True)
    with pytest.raises(dudley.DataError) as cut:
        dudley.open(b"abc", layout="x = f8[3]", raw=True)["x"].read()
    assert cut.value.address == 0 and cut.value.path == "/x"
    with pytest.raises(dudley.FileError):
        dudley.open(tmp_path / "none.bd")
    with pytest.raises(OSError):
        dudley.write(run, {"x": 1.0})
    (tmp_path / "text").write_bytes(b"\x00\x01\x02 no format")
    with pytest.raises(dudley.UnknownFormat):
        dudley.open(tmp_path / "text")
    f.close()
    with pytest.raises(dudley.Closed):
        f["cube"]
    again = pickle.loads(pickle.dumps(cut.value))
    assert (str(again), again.path) == (str(cut.value), "/x")


def test_bad_trees(tmp_path):
    path = tmp_path / "x.bd"
    for tree in [{"x": object()}, {1: 2.0}, {"x": [1, "a", None]}]:
        with pytest.raises(dudley.BadValue):
            dudley.write(path, tree)
    with pytest.raises(dudley.NotFound, match="/y"):
        dudley.write(path, {"x": 1.0}, units={"/y": "m"})
    with pytest.raises(ValueError):
        dudley.write(path, {"x": 1.0}, attrs={"/x": {"bad": object()}})
    assert not path.exists()


def test_files_are_pickled_by_their_path(run):
    f = pickle.loads(pickle.dumps(dudley.open(run)))
    assert f["dict"]["inner"].read().tolist() == [0, 1, 2]
    with pytest.raises(TypeError):
        pickle.dumps(dudley.open(run.read_bytes()))


def test_many_threads_read_one_file(run):
    f, expected = dudley.open(run), tree()["cube"]
    wrong = []

    def read():
        for at in range(200):
            if not np.array_equal(f["cube"][at % 4], expected[at % 4]):
                wrong.append(at)

    threads = [threading.Thread(target=read) for _ in range(16)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert not wrong


def test_columns_say_what_their_items_are():
    layout = "l [/ t = f8  ## (us) time of the record\n          #: axis = \"T\"\n ]*3"
    f = dudley.open(bytes(24), layout=layout, raw=True)
    column = f["l"]["t"]
    assert (column.unit, column.doc, column.attrs) == ("us", "time of the record", {"axis": "T"})
    assert (column.name, column.path, column.shape) == ("t", "/l[:]/t", (3,))
    assert repr(column) == '<Array "/l[:]/t": <f8, shape (3,), unit "us">'


def test_what_is_there(run):
    f = dudley.open(run)
    for path in ["cube", "/cube", "dict", "dict/inner", "/list[:]/t", "/list/2/t", "/record.id", "/list[1:3]"]:
        assert path in f, path
    for path in ["no", "/no", "dict/no", "/list[:]/no", "/list/9/t", "/record.no", 3, "cube.x"]:
        assert path not in f, path
    assert len(f) == len(list(f)) and len(f["dict"]) == 1
    picked = f["/list[1:3]"]
    assert [item["t"][()] for item in picked] == [0.5, 1.0]


@pytest.mark.parametrize("key", [True, False, (0, True), (..., False)])
def test_a_single_boolean_is_no_index(key):
    """For numpy it is a new axis."""
    f = dudley.open(np.arange(6.0).tobytes(), layout="x = f8[2, 3]", raw=True)
    with pytest.raises(dudley.BadIndex, match="boolean"):
        f["x"][key]


def test_structs_with_fields_that_are_stored_otherwise():
    layout = """
p {a = f4[2, 3]  #: order = "F"
  b = >i2[4]  w = i2[6]  #: view_shape = [3, 2], view_strides = [2, 6], view_offset = 0
  ok = b1  name = S1[3]  v = f8}
x = p[2, 2]
l [p]*2
"""
    fields = [("a", "<f4", (3, 2)), ("b", ">i2", 4), ("w", "<i2", (2, 3)), ("ok", "?"), ("name", "S3"), ("v", "<f8")]
    one = np.dtype(fields, align=True)
    stored = np.zeros(6, one)
    stored["a"] = np.arange(36).reshape(6, 3, 2)
    stored["b"] = np.arange(24).reshape(6, 4)
    stored["w"] = np.arange(36).reshape(6, 2, 3)
    stored["ok"] = [True, False] * 3
    stored["name"] = [b"abc", b"d", b"", b"e", b"fg", b"h"]
    stored["v"] = np.arange(6) / 4
    f = dudley.open(stored.tobytes(), layout=layout, raw=True)
    x = f["x"]
    assert (x.shape, x.dtype["a"].shape, x.dtype["w"].shape) == ((2, 2), (2, 3), (3, 2))
    for found, expected in [
        (x[:], stored[:4].reshape(2, 2)),
        (f["/l[:]"][:], stored[4:]),
        (x[1, ::-1], stored[[3, 2]]),
    ]:
        assert np.array_equal(found["a"], expected["a"].swapaxes(-1, -2))
        assert np.array_equal(found["w"], expected["w"].swapaxes(-1, -2))
        for name in "b", "ok", "v":
            assert np.array_equal(found[name], expected[name])
        assert np.array_equal(found["name"], expected["name"])
    assert np.array_equal(x["a"][1, 0], stored["a"][2].T)
    with pytest.raises(dudley.Error):
        x.view()


def test_dlpack(run):
    f = dudley.open(run)
    np.testing.assert_array_equal(np.from_dlpack(f["cube"]), tree()["cube"])
    np.testing.assert_array_equal(np.from_dlpack(f["big"]), tree()["big"])  # big-endian: a copy in the order of the machine
    np.testing.assert_array_equal(np.from_dlpack(f["complex"]), tree()["complex"])
    np.testing.assert_array_equal(np.from_dlpack(f["list[:]/t"]), [it["t"] for it in tree()["list"]])
    assert np.from_dlpack(f["empty"]).shape == (0, 3)
    assert f["cube"].__dlpack_device__() == (1, 0)
    # A program that does not know of read-only memory gets a copy.
    f["cube"].__dlpack__()
    for path in ("text", "record", "times"):
        with pytest.raises(BufferError):
            f[path].__dlpack__()
    with pytest.raises(BufferError, match="needs a copy"):
        f["big"].__dlpack__(copy=False, max_version=(1, 0))
    if np.lib.NumpyVersion(np.__version__) >= "2.1.0":
        cube = np.from_dlpack(f["cube"])
        assert not cube.flags.writeable
        assert np.from_dlpack(f["cube"], copy=True).flags.writeable


def test_dlpack_has_no_masks(tmp_path):
    masked = np.ma.MaskedArray([1.0, 2.0], [False, True])
    dudley.write(tmp_path / "m.asdf", {"x": masked})
    with pytest.raises(BufferError, match="masked"):
        np.from_dlpack(dudley.open(tmp_path / "m.asdf")["x"])


def test_slices_of_slices_have_the_type_of_all(run):
    f, expected = dudley.open(run), tree()
    for path in ("cube", "big", "ints", "record", "times", "flags"):
        for key in (0, -1, slice(1, 3), (slice(None, None, -1), 0), slice(2, 2), Ellipsis, np.int64(1), slice(np.int8(0), None)):
            if np.ndim(expected[path]) < (len(key) if isinstance(key, tuple) else 1):
                continue
            found, wanted = f[path][key], expected[path][key]
            np.testing.assert_array_equal(found, wanted, err_msg=f"{path}[{key}]")
            assert found.dtype == wanted.dtype.newbyteorder("="), (path, key)
            assert getattr(found, "flags", None) is None or found.flags.writeable or not found.shape
    for key in (slice(2**70, None), slice(-(2**70), 2**70, 2**65)):
        np.testing.assert_array_equal(f["ints"][key], expected["ints"][key])
