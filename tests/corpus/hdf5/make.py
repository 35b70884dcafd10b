"""Writes the HDF5 files of this folder with h5py, and what h5py reads of them: `python make.py`."""

import json

import h5py
import numpy as np

T = h5py.h5t


def values(n, dtype="<i4"):
    return (np.arange(n) * 7 % 251).astype(dtype)


def chunked(group, name, shape, chunks, maxshape=None, dtype="<i4", **how):
    data = values(int(np.prod(shape)), dtype).reshape(shape)
    group.create_dataset(name, data=data, chunks=chunks, maxshape=maxshape, **how)


def fill(f, latest):
    f.attrs["title"] = "made for tests"
    f.attrs["long"] = np.arange(40)
    f.create_dataset("scalar", data=np.float64(1.5))
    f.create_dataset("big", data=values(6, ">i2").reshape(2, 3))
    f.create_dataset("empty", shape=(0, 3), dtype="<f4")
    f.create_dataset("null", data=h5py.Empty("<f4"))
    f.create_dataset("unwritten", shape=(2, 2), dtype="<f4", fillvalue=-1.5)
    f.create_dataset("nan", shape=(2,), dtype=">f8", fillvalue=np.nan)
    f.create_dataset("text", data=np.array([b"ab", b"cde"], dtype="S4"))
    f.create_dataset("complex", data=np.array([1 + 2j, 3 - 4j], dtype="<c8"))
    f.create_dataset("bool", data=np.array([True, False]))
    colours = h5py.enum_dtype({"red": 0, "green": 5}, basetype="u1")
    f.create_dataset("colour", data=np.array([0, 5, 5]), dtype=colours)
    point = np.dtype([("x", "<f8"), ("n", ">i2", (2,)), ("s", "S3")], align=True)
    points = np.zeros(3, point)
    points["x"], points["s"] = [1, 2, 3], [b"a", b"bb", b"ccc"]
    points["n"] = values(6).reshape(3, 2)
    f.create_dataset("points", data=points)
    compact = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    compact.set_layout(h5py.h5d.COMPACT)
    space = h5py.h5s.create_simple((5,))
    small = h5py.h5d.create(f.id, b"compact", T.STD_U16LE, space, compact)
    small.write(h5py.h5s.ALL, h5py.h5s.ALL, values(5, "<u2"))
    g = f.create_group("chunks")
    chunked(g, "old", (5, 7), (2, 3))
    chunked(g, "gzip", (5, 7), (2, 3), compression="gzip", shuffle=True, fletcher32=True)
    chunked(g, "lzf", (90,), (40,), compression="lzf")
    chunked(g, "points", (7,), (3,), dtype=">f8")
    chunked(g, "one", (4, 4), (4, 4))
    chunked(g, "one_gzip", (4, 4), (4, 4), compression="gzip")
    chunked(g, "grows", (5, 7), (2, 3), maxshape=(None, 7))
    chunked(g, "grows_second", (5, 7), (2, 3), maxshape=(9, None))
    chunked(g, "grows_all", (5, 7), (2, 3), maxshape=(None, None), compression="gzip")
    chunked(g, "many", (500,), (2,), maxshape=(None,))
    chunked(g, "many_gzip", (120,), (2,), maxshape=(None,), compression="gzip")
    sparse = g.create_dataset("sparse", shape=(20, 20), chunks=(2, 2), dtype="<i2", fillvalue=7)
    sparse[11, 10:14] = [1, 2, 3, 4]
    holes = g.create_dataset("holes", shape=(9,), chunks=(2,), dtype="<i2", fillvalue=-3)
    holes[4:6] = [1, 2]
    strings = g.create_dataset("text", shape=(5,), chunks=(2,), dtype="S3", fillvalue=b"zz")
    strings[0] = b"abc"
    early = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    early.set_chunk((2, 3))
    early.set_alloc_time(h5py.h5d.ALLOC_TIME_EARLY)
    space = h5py.h5s.create_simple((5, 7))
    implicit = h5py.h5d.create(g.id, b"implicit", T.STD_I32LE, space, early)
    implicit.write(h5py.h5s.ALL, h5py.h5s.ALL, values(35).reshape(5, 7))
    n = f.create_group("names")
    for at in range(20):
        n.create_dataset(f"d{at:02}", data=np.int8(at))
    many = f.create_dataset("attributes", data=values(3))
    many.attrs["units"] = "m/s"
    many.attrs["words"] = np.array([b"one", b"three"])
    many.attrs["variable"] = ["a", "longer"]
    many.attrs["wide"] = np.float32(0.5)
    for at in range(12):
        many.attrs[f"a{at:02}"] = at
    x = f.create_dataset("x", data=values(7, "<f4"))
    x.make_scale("x")
    y = f.create_dataset("y", data=values(5, "<f4"))
    y.make_scale("y")
    for name in ["chunks/old", "chunks/gzip"]:
        f[name].dims[0].attach_scale(y)
        f[name].dims[1].attach_scale(x)
    f.create_dataset("variable", data=["one", "", "three"], dtype=h5py.string_dtype())
    f["names/link"] = h5py.SoftLink("/big")
    f["names/loop"] = f["/names"]


def odd(f):
    """Integers that are not all of their bytes; a fill value that is found by its bytes."""
    for name, of, bits, offset in [("signed", T.STD_I16LE, 12, 0), ("unsigned", T.STD_U16LE, 12, 0),
                                   ("shifted", T.STD_U32BE, 24, 8)]:
        of = of.copy()
        of.set_precision(bits)
        of.set_offset(offset)
        space = h5py.h5s.create_simple((3,))
        one = h5py.h5d.create(f.id, name.encode(), of, space)
        one.write(h5py.h5s.ALL, h5py.h5s.ALL, np.array([1, 2, 300], "<i4"))
    f.create_dataset("filled", shape=(2,), chunks=(2,), dtype="<u4", fillvalue=0x1a2b3c4d)


def hex_of(d):
    t, a = d.id.get_type(), np.empty(d.size * d.id.get_type().get_size(), "u1")
    if a.size:
        d.id.read(h5py.h5s.ALL, h5py.h5s.ALL, a, t)
    return a.tobytes().hex()


if __name__ == "__main__":
    expected = {}
    for name, libver, block in [("earliest", "earliest", 0), ("latest", "latest", 0), ("user", "v108", 1024)]:
        how = {"userblock_size": block} if block else {}
        with h5py.File(f"{name}.h5", "w", libver=libver, **how) as f:
            fill(f, name == "latest")
        with h5py.File(f"{name}.h5", "r") as f:
            raw = {}
            f.visititems(lambda path, it: raw.update({path: hex_of(it)})
                         if isinstance(it, h5py.Dataset) and it.shape is not None
                         and path != "variable" else None)
            raw["names/link"] = hex_of(f["big"])
        expected[name] = raw
    with h5py.File("odd.h5", "w", libver="earliest") as f:
        odd(f)
    with open("expected.json", "w") as out:
        json.dump(expected, out, indent=1, sort_keys=True)
        out.write("\n")
