"""What must not end the process: damaged files, threads, processes, views that outlive files, files that are cut off. Each
is a process of its own with `faulthandler`, so that a crash is a failure that says where."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import dudley

WALK = """
def walk(item, depth=0):
    if depth > 20:
        return
    if isinstance(item, dudley.Dict):
        for name in list(item)[:20]:
            try:
                walk(item[name], depth + 1)
            except (dudley.Error, RecursionError):
                pass
    elif isinstance(item, dudley.List):
        for at in range(min(3, len(item))):
            try:
                walk(item[at], depth + 1)
            except dudley.Error:
                pass
    elif isinstance(item, dudley.Array) and item.nbytes < 1 << 20:
        for read in (item.read, item.view, item.value, item.__repr__, item.scaled, lambda: item[..., :2], lambda: item[()]):
            try:
                read()
            except (dudley.Error, ValueError, IndexError, MemoryError, RecursionError):
                pass
"""


def run(script, *words, given=""):
    head = "import faulthandler, sys, dudley, numpy as np\nfaulthandler.enable()\n"
    done = subprocess.run([sys.executable, "-c", head + script, *map(str, words)], input=given, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout


@pytest.fixture
def path(tmp_path):
    tree = {"x": np.arange(100_000.0).reshape(100, 1000), "l": [{"t": float(k)} for k in range(50)]}
    dudley.write(tmp_path / "x.bd", tree, params={"N": 3})
    return tmp_path / "x.bd"


def test_damaged_files(path, tmp_path):
    asdf = tmp_path / "x.asdf"
    dudley.convert(path, asdf, ["/x[:2, :50]", "/l[:3]"])
    dudley.write(tmp_path / "x.nc", {"x": np.arange(50.0).reshape(5, 10)})
    dudley.write(tmp_path / "x.h5", {"x": np.arange(50.0).reshape(5, 10)})
    dudley.write(tmp_path / "x.npz", {"x": np.arange(50.0).reshape(5, 10)})
    dudley.write(tmp_path / "small.bd", {"x": np.arange(50.0).reshape(5, 10), "l": [{"t": 1.0}]})
    files = [asdf, *(tmp_path / name for name in ("x.nc", "x.h5", "x.npz", "small.bd"))]
    script = WALK + """
import random
rng, errors, total = random.Random(1), 0, 0
for name in sys.stdin.read().splitlines():
    whole = open(name, "rb").read()
    for _ in range(150):
        data = bytearray(whole)
        if rng.random() < 0.3:
            del data[rng.randrange(len(data)):]
        for _ in range(rng.randrange(4)):
            if data:
                data[rng.randrange(len(data))] = rng.randrange(256)
        total += 1
        try:
            walk(dudley.open(bytes(data)))
        except dudley.Error as error:
            errors += 1
            assert str(error)
print(errors, total)
"""
    errors, total = map(int, run(script, given="\n".join(map(str, files))).split())
    assert total == 750 and 20 < errors < total


def test_corpora(foreign):
    files = [file for file in sorted(foreign.parent.rglob("*")) if file.is_file() and file.stat().st_size < 1 << 22]
    script = WALK + """
opened = 0
for name in sys.stdin.read().splitlines():
    try:
        walk(dudley.open(name))
        opened += 1
    except (dudley.Error, RecursionError) as error:
        assert str(error)
print(opened)
"""
    assert int(run(script, given="\n".join(map(str, files)))) > 100


def test_16_readers_of_a_file(path):
    script = """
import threading
f, wrong = dudley.open(sys.argv[1]), []
def read(number):
    for at in range(300):
        row = (at * 7 + number) % 100
        found = f["x"][row] if at % 3 else f["x"].view()[row]
        if found[5] != row * 1000 + 5 or f["/l[:]/t"][row % 50] != row % 50:
            wrong.append(row)
threads = [threading.Thread(target=read, args=(number,)) for number in range(16)]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
assert not wrong
"""
    run(script, path)


@pytest.mark.parametrize("kind", ["fork", "spawn", "forkserver"])
def test_other_processes(path, kind, tmp_path):
    if kind not in __import__("multiprocessing").get_all_start_methods():
        pytest.skip(f"this system has no {kind}")
    script = tmp_path / "main.py"
    script.write_text(
        """
import faulthandler, multiprocessing, sys, dudley
faulthandler.enable()
def total(f):
    return float(f["x"].read().sum()) + float(f["l"]["t"].read().sum())
if __name__ == "__main__":
    f = dudley.open(sys.argv[1])
    own = total(f)
    with multiprocessing.get_context(sys.argv[2]).Pool(3) as pool:
        assert pool.map(total, [f] * 6) == [own] * 6
    assert total(f) == own
"""
    )
    done = subprocess.run([sys.executable, str(script), str(path), kind], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr[-3000:]


def test_views_outlive_their_file(path):
    script = """
import gc, os
for at in range(200):
    f = dudley.open(sys.argv[1])
    views = [f["x"].view(), f["x"].view()[::-3, 5:], f["/l[:]/t"].view()]
    f.close()
    del f
    gc.collect()
    assert views[0][99, 999] == 99_999 and views[1][0, 0] == 99_005 and views[2][49] == 49
    try:
        views[0][0, 0] = 1
    except ValueError:
        continue
    raise SystemExit("a view was written to")
os.unlink(sys.argv[1])
assert views[0].sum() == np.arange(100_000.0).sum()
"""
    run(script, path)


def test_a_file_that_is_cut_off(path):
    script = """
import os
f = dudley.open(sys.argv[1], mmap=False)
x = f["x"]
assert x[3, 4] == 3004
try:
    x.view()
except dudley.BadValue:
    pass
else:
    raise SystemExit("a view of a file that is not mapped")
os.truncate(sys.argv[1], 5000)
try:
    x.read()
except dudley.Error:
    pass
else:
    raise SystemExit("read what is not there")
assert x[0, 1] == 1
"""
    run(script, path)


def test_cycles_are_collected(path):
    script = """
import gc, weakref
class Holder:
    pass
gone = []
for at in range(100):
    holder = Holder()
    holder.file = dudley.open(sys.argv[1])
    holder.array = holder.file["x"]
    holder.view = holder.array.view()
    holder.self = holder
    gone.append(weakref.ref(holder))
    del holder
gc.collect()
assert not any(ref() for ref in gone)
assert len(os_files()) < 20
""".replace("os_files()", "__import__('os').listdir('/proc/self/fd')")
    if not Path("/proc/self/fd").exists():
        script = script.rsplit("assert len", 1)[0]
    run(script, path)


def test_ctrl_c_ends_a_read(path, tmp_path):
    if sys.platform == "win32":
        pytest.skip("no signals")
    big = tmp_path / "big.raw"
    with open(big, "wb") as file:
        file.truncate(8 << 30)
    script = """
import os, signal, threading
# Programs that a shell runs in the background ignore it.
signal.signal(signal.SIGINT, signal.default_int_handler)
f = dudley.open(sys.argv[1], layout="x = >f8[1073741824]", raw=True, mmap=False)
threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
try:
    for _ in range(1000):
        f["x"][:: 1 << 6].sum()
        f["x"][: 1 << 24].sum()
except KeyboardInterrupt:
    print("ended")
"""
    assert run(script, big).strip() == "ended"
