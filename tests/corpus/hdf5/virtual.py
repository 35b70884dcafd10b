"""Writes virtual arrays with h5py, and what h5py reads of them: `python virtual.py`."""

import json

import h5py
import numpy as np

Source = h5py.VirtualSource
ENDLESS = h5py.h5s.UNLIMITED


def source(name, data, of="data", libver="earliest", **how):
    with h5py.File(name, "w", libver=libver) as f:
        f.create_dataset(of, data=data, **how)


def virtual(f, name, shape, dtype, maps, **how):
    layout = h5py.VirtualLayout(shape=shape, dtype=dtype)
    for where, what in maps:
        layout[where] = what
    f.create_virtual_dataset(name, layout, **how)


def select(*blocks):
    def of(space):
        space.select_none()
        for start, count in blocks:
            space.select_hyperslab(start, count, op=h5py.h5s.SELECT_OR)

    return of


def whole(space):
    space.select_all()


def mapped(f, name, shape, dtype, maps, fill):
    """Mappings of other selections than the layouts of h5py have."""
    how = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    how.set_fill_value(np.array(fill, dtype))
    for own, file, of, shape_there, there in maps:
        one, other = h5py.h5s.create_simple(shape), h5py.h5s.create_simple(shape_there)
        own(one)
        there(other)
        how.set_virtual(one, file, of, other)
    space = h5py.h5s.create_simple(shape)
    h5py.h5d.create(f.id, name.encode(), h5py.h5t.py_create(np.dtype(dtype)), space, how)


def fill(f, name):
    s = np.s_
    a, b = (Source(f"virtual_{it}.h5", "data", shape=(4, 6)) for it in "ab")
    c = Source("virtual/c.h5", "g/data", shape=(4, 6))
    f["own"] = np.arange(12, dtype="<i4").reshape(3, 4)
    virtual(f, "stack", (2, 4, 6), "<f8", [(0, a), (1, b)])
    virtual(f, "interleaved", (8, 6), "<f8", [(s[0:8:2], a), (s[1:8:2], b)])
    virtual(f, "columns", (4, 12), "<f8", [(s[:, 0:12:2], a), (s[:, 1:12:2], b)], fillvalue=-1.5)
    virtual(f, "types", (3, 4, 6), ">f8", [(0, a), (1, b), (2, c)])
    virtual(f, "strided", (2, 3), "<f8", [(s[:], b[1::2, ::2])])
    virtual(f, "part", (6, 9), "<f8", [(s[1:5, 2:8], b)], fillvalue=-2)
    virtual(f, "rows", (3, 6), "<f8", [(0, a[2]), (2, b[3])], fillvalue=7)
    virtual(f, "self", (2, 3, 4), "<i4", [(1, Source(".", "own", shape=(3, 4)))], fillvalue=3)
    virtual(f, "by_name", (3, 4), "<i4", [(s[:], Source(name, "own", shape=(3, 4)))])
    virtual(f, "nested", (2, 4, 3), "<f8", [(s[:], Source(".", "stack", shape=(2, 4, 6))[:, :, ::2])])
    point = np.dtype([("n", "<i4"), ("x", ">f8")])
    points = Source("virtual/points.h5", "data", shape=(5,), dtype=point)
    virtual(f, "points", (10,), point, [(s[0:10:2], points)])
    words = Source("virtual/words.h5", "data", shape=(6,), dtype="S3")
    virtual(f, "words", (2, 3), "S3", [(0, words[:3]), (1, words[3:])])
    virtual(f, "empty", (0, 6), "<f8", [])
    mapped(f, "reshaped", (24,), "<f8", [(whole, b"virtual_b.h5", b"data", (4, 6), whole)], 0)
    irregular = select(((0, 1), (2, 3)), ((2, 5), (1, 2)), ((4, 0), (2, 1)))
    there = select(((0, 0), (1, 4)), ((1, 2), (2, 3)))
    mapped(f, "blocks", (6, 8), "<f8", [(irregular, b"virtual_b.h5", b"data", (4, 6), there)], -1)
    mapped(f, "percent", (4, 6), "<f8", [(whole, b"virtual_%%a.h5", b"data", (4, 6), whole)], 0)
    flat = Source("virtual_a.h5", "data", shape=(24,))
    virtual(f, "flat", (24,), "<f8", [(s[:], flat)], fillvalue=-9)
    # Those from here on are not read, or not all of them.
    missing = Source("virtual_none.h5", "data", shape=(4, 6))
    virtual(f, "missing", (2, 4, 6), "<f8", [(0, a), (1, missing)], fillvalue=-9)
    nothing = Source("virtual_a.h5", "none", shape=(4, 6))
    virtual(f, "nothing", (2, 4, 6), "<f8", [(0, a), (1, nothing)], fillvalue=-9)
    outside = Source("../virtual.h5", "data", shape=(4, 6))
    virtual(f, "outside", (2, 4, 6), "<f8", [(0, a), (1, outside)], fillvalue=-9)
    short = Source("virtual_a.h5", "data", shape=(5, 6))
    virtual(f, "short", (2, 5, 6), "<f8", [(1, short)], fillvalue=-9)
    virtual(f, "overlap", (6, 6), "<f8", [(s[0:4], a), (s[2:6], b)])
    virtual(f, "lossy", (4, 6), "<i2", [(s[:], b)])
    virtual(f, "loop", (3, 4), "<i4", [(s[:], Source(".", "loop2", shape=(3, 4)))])
    virtual(f, "loop2", (3, 4), "<i4", [(s[:], Source(".", "loop", shape=(3, 4)))])
    n = ENDLESS
    endless(f, "endless_none", (2, 6), [(0, 1, n, 1, "virtual_none.h5", "data", 0, 1, n, 1)], -9)


def endless(f, name, shape, maps, fill):
    """Mappings without an end of rows: from a row on, in steps, of so many blocks of so many rows."""
    how = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    how.set_fill_value(np.array(fill, "<f8"))
    for start, stride, count, block, file, of, start_there, stride_there, count_there, block_there in maps:
        one = h5py.h5s.create_simple(shape, (ENDLESS, 6))
        rows = 4 if count_there != ENDLESS and block_there != ENDLESS else 1
        other = h5py.h5s.create_simple((max(rows, start_there + 1), 6), (ENDLESS, 6))
        one.select_hyperslab((start, 0), (count, 1), (stride, 1), (block, 6))
        other.select_hyperslab((start_there, 0), (count_there, 1), (stride_there, 1), (block_there, 6))
        how.set_virtual(one, file.encode(), of.encode(), other)
    space = h5py.h5s.create_simple(shape, (ENDLESS, 6))
    h5py.h5d.create(f.id, name.encode(), h5py.h5t.IEEE_F64LE, space, how)


def fill_endless(f, name):
    n = ENDLESS
    a, g = ("virtual_a.h5", "data"), ("virtual_g.h5", "data")
    # The source has four rows, and the stored shape two.
    endless(f, "endless", (2, 6), [(0, 1, n, 1, *g, 0, 1, n, 1)], -1)
    endless(f, "endless_block", (2, 6), [(3, 1, 1, n, *g, 1, 1, 1, n)], -1)
    endless(f, "endless_empty", (0, 6), [(0, 1, n, 1, *g, 0, 1, n, 1)], -1)
    two = [(0, 4, n, 2, *g, 0, 2, n, 2), (2, 4, n, 2, "virtual_h.h5", "data", 0, 2, n, 2)]
    endless(f, "endless_two", (0, 6), two, -1)
    endless(f, "endless_cut", (1, 6), [(1, 5, n, 3, *g, 0, 3, n, 2)], -1)
    endless(f, "endless_fixed", (9, 6), [(0, 1, n, 1, *g, 0, 1, n, 1), (8, 1, 1, 1, *a, 2, 1, 1, 1)], -1)
    endless(f, "numbered", (0, 6), [(0, 2, n, 2, "virtual/n%b.h5", "data", 0, 1, 1, 2)], -1)
    endless(f, "numbered_arrays", (0, 6), [(1, 3, n, 2, "virtual/m%%.h5", "d%b", 1, 1, 1, 2)], -1)
    endless(f, "numbered_none", (2, 6), [(0, 2, n, 2, "virtual/o%b.h5", "data", 0, 1, 1, 2)], -1)


UNREAD = ["missing", "nothing", "outside", "short", "overlap", "lossy", "loop", "loop2", "endless_none", "numbered_none"]

numbers = np.arange(24).reshape(4, 6)
source("virtual_a.h5", numbers.astype("<f8"))
how = {"chunks": (3, 4), "compression": "gzip", "shuffle": True}
source("virtual_b.h5", numbers + 100.5, **how)
source("virtual_%a.h5", numbers * 2.0)
source("virtual/c.h5", (numbers - 7).astype(">i2"), "g/data", "latest", chunks=(4, 6))
source("virtual_g.h5", np.arange(30.0).reshape(5, 6) / 8, maxshape=(None, 6), chunks=(2, 6))
source("virtual_h.h5", np.arange(18.0).reshape(3, 6) + 50, maxshape=(None, 6), chunks=(2, 6))
for at in range(3):
    source(f"virtual/n{at}.h5", numbers[:2] + 1000.0 * at)
with h5py.File("virtual/m%.h5", "w") as f:
    for at in range(2):
        f[f"d{at}"] = numbers + 1000.0 * at
points = np.zeros(5, np.dtype([("n", "<i4"), ("x", ">f8")]))
points["n"], points["x"] = np.arange(5), np.arange(5) / 4
source("virtual/points.h5", points, chunks=(2,))
source("virtual/words.h5", np.array([b"a", b"bb", b"ccc", b"d", b"", b"f"], "S3"))
expected = {}
for libver in ["earliest", "latest"]:
    name = f"virtual_{libver}.h5"
    with h5py.File(name, "w", libver=libver) as f:
        fill(f, name)
        fill_endless(f, name)
    with h5py.File(name) as f:
        read = [of for of in f if of not in UNREAD]
        expected[name] = {of: np.asarray(f[of][()]).tobytes().hex() for of in read}
with open("virtual.json", "w") as f:
    json.dump(expected, f, indent=0)
with h5py.File("virtual_large.h5", "w", libver="latest") as f:
    large = (1 << 40,)
    virtual(f, "there", large, "f8", [(slice(1 << 39, (1 << 39) + 6), Source("virtual_large.h5", "row", (6,)))])
    virtual(f, "missing", large, "f8", [(slice(0, 6), Source("virtual_none.h5", "row", (6,)))])
    f["row"] = np.arange(6.0)
