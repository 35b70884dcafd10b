"""Files that are read through Python: of fsspec, of a server, and others."""

import http.server
import io
import pickle
import threading

import numpy as np
import pytest

import dudley


@pytest.fixture
def data(tmp_path):
    big = np.arange(400_000.0)
    dudley.write(tmp_path / "x.bd", {"big": big, "small": np.arange(6).reshape(2, 3), "l": [{"t": 1.0}, {"t": 2.0}]})
    return (tmp_path / "x.bd").read_bytes(), big


class Counted(io.BytesIO):
    """Counts the bytes that are read."""

    bytes = 0

    def read(self, size=-1):
        found = super().read(size)
        self.bytes += len(found)
        return found


def test_objects(data):
    stored, big = data
    file = Counted(stored)
    f = dudley.open(file)
    np.testing.assert_array_equal(f["big"][1000:1010], big[1000:1010])
    np.testing.assert_array_equal(f["small"].read(), np.arange(6).reshape(2, 3))
    assert file.bytes < len(stored) / 5
    np.testing.assert_array_equal(f["big"].read(), big)
    np.testing.assert_array_equal(f["/l[:]/t"].read(), [1, 2])
    with pytest.raises(dudley.BadValue):
        f["big"].view()

    class Pipe(io.RawIOBase):
        def read(self, size=-1):
            return stored

    np.testing.assert_array_equal(dudley.open(Pipe())["big"].read(), big)


def test_objects_that_fail(data):
    class Failing(io.BytesIO):
        fails = False

        def read(self, size=-1):
            if self.fails:
                raise OSError("the line is dead")
            return super().read(size)

    file = Failing(data[0])
    f = dudley.open(file)
    file.fails = True
    with pytest.raises(dudley.FileError, match="the line is dead"):
        f["big"].read()
    file.fails = False
    assert f["big"][-1] == 399_999

    class Short(io.BytesIO):
        def read(self, size=-1):
            return super().read(size)[:-1]

    with pytest.raises(dudley.Error):
        dudley.open(Short(data[0]))["big"].read()


def test_many_threads_read_an_object(data):
    f = dudley.open(io.BytesIO(data[0]))
    wrong = []

    def read():
        for at in range(0, 400_000, 40_000):
            if f["big"][at] != at or not np.array_equal(f["big"][at : at + 20_000], data[1][at : at + 20_000]):
                wrong.append(at)

    threads = [threading.Thread(target=read) for _ in range(8)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert not wrong


def test_memory_of_fsspec(data):
    fsspec = pytest.importorskip("fsspec")
    stored, big = data
    with fsspec.open("memory://runs/x.bd", "wb") as file:
        file.write(stored)
    f = dudley.open("memory://runs/x.bd")
    np.testing.assert_array_equal(f["big"][7:9], big[7:9])
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(f))["small"].read(), np.arange(6).reshape(2, 3))
    with fsspec.open("memory://runs/x.bd") as file:
        np.testing.assert_array_equal(dudley.open(file)["big"].read(), big)
    with pytest.raises(dudley.FileError, match="none.bd"):
        dudley.open("memory://runs/none.bd")
    xr = pytest.importorskip("xarray")
    ds = xr.open_dataset("memory://runs/x.bd", engine="dudley", chunks={})
    assert float(ds.big[5:7].sum()) == 11


class Ranges(http.server.BaseHTTPRequestHandler):
    """A server of one file, that gives ranges of it."""

    stored = b""
    sent = 0

    def do_HEAD(self):
        self.answer(False)

    def do_GET(self):
        self.answer(True)

    def answer(self, with_body):
        if self.path != "/x.bd":
            self.send_error(404)
            return
        begin, end = 0, len(self.stored)
        asked = self.headers.get("Range")
        if asked:
            first, _, last = asked.removeprefix("bytes=").partition("-")
            begin, end = int(first), min(int(last) + 1, end) if last else end
        self.send_response(206 if asked else 200)
        self.send_header("Accept-Ranges", "bytes")
        self.send_header("Content-Length", str(end - begin))
        if asked:
            self.send_header("Content-Range", f"bytes {begin}-{end - 1}/{len(self.stored)}")
        self.end_headers()
        if with_body:
            type(self).sent += end - begin
            self.wfile.write(self.stored[begin:end])

    def log_message(self, *words):
        pass


def test_a_server(data):
    pytest.importorskip("fsspec")
    pytest.importorskip("aiohttp")
    Ranges.stored = data[0]
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Ranges)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        address = f"http://127.0.0.1:{server.server_port}"
        f = dudley.open(f"{address}/x.bd")
        np.testing.assert_array_equal(f["big"][7:9], data[1][7:9])
        assert Ranges.sent < len(data[0]) / 5
        np.testing.assert_array_equal(f["small"].read(), np.arange(6).reshape(2, 3))
        with pytest.raises(dudley.FileError):
            dudley.open(f"{address}/none.bd")
    finally:
        server.shutdown()
        server.server_close()
