"""Files that are created and filled, and files that grow."""

import os
import subprocess
import sys
import threading

import numpy as np
import pytest

import dudley

LAYOUT = """N : i8  ## zones
rho = f8[N, 3]  ## (g/cc) density
flags = u1[N]
packed = f4[N] -> zlib
history = [/ t = f8  step = i4  v = f4[2]]*N
rec = {id = i4  x = >f8[2]}[N]
name = S1[8]
mesh/ x = f4[4]
"""


@pytest.fixture
def path(tmp_path):
    return tmp_path / "run.bd"


def fill(w, n=4):
    w["/rho"][n // 2 :] = np.full((n - n // 2, 3), 2.0)
    w["/rho"][: n // 2, ::2] = np.ones((n // 2, 2))
    w["/rho"][: n // 2, 1] = np.zeros(n // 2)
    w["flags"] = np.arange(n, dtype=np.int64)
    w["/packed"][::2] = np.ones(n // 2)
    w["/packed"][1::2] = np.zeros(n // 2)
    rows = np.zeros(n - 1, [("t", "f8"), ("step", "i4"), ("v", "f4", (2,))])
    rows["t"] = np.arange(1, n)
    w["/history"][1:] = rows
    w["/history"][0] = {"t": 0.5, "step": 7, "v": [1, 2]}
    rec = np.zeros(n, [("id", "<i4"), ("x", ">f8", (2,))])
    rec["id"] = np.arange(n)
    w["/rec"][1:] = rec[1:]
    w["/rec"][0] = rec[0]
    w["name"] = "blast"
    w["mesh"] = {"x": [1, 2, 3, 4]}


def test_any_order(path):
    with dudley.create(path, LAYOUT, N=4) as w:
        assert w["rho"].address == 24
        assert (w["rho"].shape, w["rho"].unit, w["rho"].dtype_name) == ((4, 3), "g/cc", "<f8")
        assert len(w["/history"]) == 4
        assert w["/history"][3]["t"].path == "/history/3/t"
        fill(w)
        assert not path.exists()
    f = dudley.open(path)
    assert f["rho"][:].tolist() == [[1, 0, 1], [1, 0, 1], [2, 2, 2], [2, 2, 2]]
    assert f["flags"][:].tolist() == [0, 1, 2, 3]
    assert f["packed"][:].tolist() == [1, 0, 1, 0]
    assert f["/history[:]/t"][:].tolist() == [0.5, 1, 2, 3]
    assert f["/history[:]/v"][:].tolist() == [[1, 2], [0, 0], [0, 0], [0, 0]]
    assert f["rec"][:]["id"].tolist() == [0, 1, 2, 3]
    assert f["/mesh/x"][:].tolist() == [1, 2, 3, 4]
    assert str(f["name"][()]) == "blast"


def test_a_block_that_fails_leaves_nothing(path):
    with pytest.raises(RuntimeError):
        with dudley.create(path, LAYOUT, N=4) as w:
            fill(w)
            raise RuntimeError
    assert os.listdir(path.parent) == []
    with pytest.raises(dudley.BadValue, match="/packed") as caught:
        with dudley.create(path, LAYOUT, N=4) as w:
            w["rho"] = np.zeros((4, 3))
    assert "/rho" not in str(caught.value)
    assert os.listdir(path.parent) == []


def test_what_does_not_fit(path):
    w = dudley.create(path, LAYOUT, N=4)
    for error, item, key, value in [
        (dudley.BadValue, "rho", slice(0, 2), np.zeros((3, 3))),
        (dudley.BadIndex, "rho", 9, np.zeros(3)),
        (dudley.BadValue, "rho", [0, 1], np.zeros((2, 3))),
        (dudley.BadValue, "rho", 0, ["a", "b", "c"]),
        (dudley.BadValue, "flags", slice(None), [0, 1, 2, 256]),
        (dudley.BadValue, "packed", slice(None), [0.1] * 4),
        (dudley.BadValue, "packed", slice(None), object()),
        (dudley.NotFound, "history", 0, {"nothing": 1}),
        (dudley.BadValue, "rec", 0, np.zeros((), [("id", "<i4")])),
    ]:
        with pytest.raises(error) as caught:
            w[item][key] = value
        assert item in str(caught.value) or error is dudley.BadValue, caught.value
    with pytest.raises(dudley.NotFound):
        w["/nothing"]
    w.abort()
    with pytest.raises(dudley.Closed):
        w["name"] = "x"
    with pytest.raises(dudley.LayoutError):
        dudley.create(path, "x = f9[3]")
    with pytest.raises(dudley.Error):
        dudley.create(path, LAYOUT, M=4)
    with pytest.raises(dudley.BadValue):
        dudley.create(path, LAYOUT, N=4, order="middle")
    path.write_bytes(b"here")
    with pytest.raises(dudley.FileError):
        dudley.create(path, LAYOUT, N=4)
    assert path.read_bytes() == b"here"
    with dudley.create(path, "x = >i2", overwrite=True, raw=True) as w:
        w["x"] = 258
    assert path.read_bytes() == b"\1\2"


def test_threads(path):
    n = 64
    with dudley.create(path, "N : i8  x = f8[N, 1000]", N=n, order=">") as w:
        def part(at):
            for row in range(at, n, 4):
                w["x"][row] = np.full(1000, row)

        threads = [threading.Thread(target=part, args=(at,)) for at in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    x = dudley.open(path)["x"]
    assert (x.dtype.byteorder, x[:, 7].tolist()) == (">", list(range(n)))


def test_layout_of_a_file_and_params_by_path(tmp_path, path):
    layout = tmp_path / "run.dud"
    layout.write_text("g/ N : i4  x = f4[N]\n")
    with dudley.create(path, layout, param={"/g/N": 2}) as w:
        w["/g/x"] = [1, 2]
        assert "x = f4[N]" in w.layout
    assert dudley.open(path)["/g/x"][:].tolist() == [1, 2]


def test_append(path):
    layout = "NT : i8  name = S1[4]  history = [/ t = f8  u = f4[2]  n = i4]*NT"
    with dudley.create(path, layout, NT=0) as w:
        w["name"] = "abc"
    with dudley.append(path) as a:
        assert a.push("/history", t=0.5, u=[1, 2], n=1) == 1
        assert a.push("/history", {"t": 1.0, "u": np.zeros(2), "n": 2}) == 2
        rows = np.zeros(3, [("t", "f8"), ("u", "f4", (2,)), ("n", "i8")])
        rows["t"] = [2, 3, 4]
        assert a.push_many("/history", rows) == 5
        assert a.push("/history", rows[0]) == 6
        with pytest.raises(dudley.FileError):
            dudley.append(path)
        with pytest.raises(dudley.Error):
            a.push("/history", t=0.5)
        with pytest.raises(dudley.Error):
            a.push_many("/history", {"t": [1, 2], "u": np.zeros((3, 2)), "n": [1, 2]})
        assert a.count("/history") == 6
        assert len(dudley.open(path)["history"]) == 0
        a.commit()
        assert len(dudley.open(path)["history"]) == 6
        a.truncate("/history", 4)
        a["/history[0]/t"] = 0.25
    f = dudley.open(path)
    assert f["/history[:]/t"][:].tolist() == [0.25, 1, 2, 3]
    assert f["/history[:]/n"][:].tolist() == [1, 2, 0, 0]
    with pytest.raises(dudley.Closed):
        a.push("/history", t=0.5, u=[1, 2], n=1)


def test_append_to_an_array(path):
    with dudley.create(path, "NT : i8  x = f8[NT, 2]", NT=0):
        pass
    with dudley.append(path) as a:
        assert a.push("/x", [1.0, 2.0]) == 1
        assert a.push_many("/x", np.ones((3, 2))) == 4
    assert dudley.open(path)["x"][:].sum() == 9


def test_a_killed_writer_leaves_nothing(path):
    program = f"""
import dudley, os, numpy as np
w = dudley.create({str(path)!r}, "x = f8[100000]")
w["x"][:50] = np.ones(50)
os._exit(9)
"""
    done = subprocess.run([sys.executable, "-c", program], check=False)
    assert done.returncode == 9
    assert not path.exists()
    with dudley.create(path, "x = u1") as w:
        w["x"] = 1
    assert os.listdir(path.parent) == ["run.bd"]
