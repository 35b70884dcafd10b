"""Writes ASDF files of all types, shapes, orders, codecs, masks, views and records, and what is in them.

The values go to standard output as JSON: for each file its arrays by their paths, each with its shape
and its values. Floats that JSON does not have are texts, complex numbers are pairs, masked elements are
null.
"""

import io
import json
import sys
import warnings

import asdf
import numpy

warnings.filterwarnings("ignore", category=asdf.exceptions.AsdfWarning)

TYPES = ["i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f2", "f4", "f8", "c8", "c16", "?", "S5", "U3"]
SHAPES = [(), (1,), (7,), (0,), (3, 0, 2), (2, 3), (2, 3, 4)]
CODECS = [None, "zlib", "bzp2", "lz4", "lz4f", "zstd"]


def sample(dtype, shape):
    """Values at the edges of a type, and others."""
    dtype = numpy.dtype(dtype)
    count = int(numpy.prod(shape))
    if dtype.kind in "iu":
        info = numpy.iinfo(dtype)
        values = [info.min, info.max, 0, 1, 7, 100]
    elif dtype.kind == "f":
        info = numpy.finfo(dtype)
        values = [0.5, -0.0, float("nan"), float("inf"), float("-inf"), info.max, info.tiny, 1 / 3]
    elif dtype.kind == "c":
        values = [1 + 2j, complex("nan"), complex(float("inf"), -0.0), -1 / 3 + 1e-9j]
    elif dtype.kind == "b":
        values = [True, False, False]
    else:
        values = ["abc", "", "x", "yz"] if dtype.kind == "S" else ["aé", "", "\U00010020b", "abc"]
    values = [values[at % len(values)] for at in range(count)]
    return numpy.array(values, dtype).reshape(shape)


def plain(value):
    """A value as JSON has it."""
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if isinstance(value, numpy.ndarray):
        return plain(value.tolist())
    if isinstance(value, bytes):
        return value.decode("ascii")
    if isinstance(value, complex):
        return {"re": plain(value.real), "im": plain(value.imag)}
    if isinstance(value, float) and (value != value or value in (float("inf"), float("-inf"))):
        return repr(value)
    if isinstance(value, numpy.generic):
        return plain(value.item())
    return value


def orders(array):
    """The array in both byte orders, if it has one."""
    if array.dtype.itemsize == 1 or array.dtype.kind == "S":
        return {"": array}
    return {mark: array.astype(array.dtype.newbyteorder(mark)) for mark in "<>"}


def layouts(array):
    """The array, and views of the same shape that lie otherwise."""
    yield "c", array
    if array.ndim > 1:
        yield "f", numpy.asfortranarray(array)
    if array.ndim > 0 and array.size > 1:
        yield "reversed", array[::-1]
        wide = numpy.repeat(array, 2, axis=-1)
        yield "strided", wide[..., ::2]


def types():
    for dtype in TYPES:
        for shape in SHAPES:
            for order, array in orders(sample(dtype, shape)).items():
                for name, view in layouts(array):
                    yield f"{dtype}_{order}_{'x'.join(map(str, shape))}_{name}", view


def records():
    inner = numpy.dtype([("lon", ">f4"), ("lat", "<f8")])
    dtype = numpy.dtype(
        [
            ("id", "<i2"),
            ("pos", inner),
            ("k", ">f4", (3,)),
            ("label", "S4"),
            ("name", "<U2"),
            ("m", "<c8", (2, 2)),
            ("ok", "?"),
        ]
    )
    table = numpy.zeros((2, 3), dtype)
    for at, row in enumerate(table.reshape(-1)):
        row["id"] = at - 2
        row["pos"] = (at / 4, -at / 3)
        row["k"] = [at, at + 0.5, -at]
        row["label"] = b"r%d" % at
        row["name"] = "é%d" % at
        row["m"] = [[1, at * 1j], [at, -1]]
        row["ok"] = at % 2
    yield "table", table
    yield "row", table[1, 1:]
    yield "field", table["k"]
    yield "packed", table["pos"].copy()


def masks():
    ints = numpy.arange(6, dtype="<i4").reshape(2, 3)
    floats = numpy.array([0.5, float("nan"), 2.0])
    mask = numpy.array([[True, False, False], [False, True, True]])
    yield "array", numpy.ma.array(ints, mask=mask)
    yield "floats", numpy.ma.array(floats, mask=[False, True, True])


def write(name, arrays, **options):
    """Writes a file, and says what is in it."""
    codec = options.pop("codec", None)
    base = options.pop("base", False)
    inline = options.pop("inline", False)
    arrays = dict(arrays)
    file = asdf.AsdfFile({"arrays": arrays})
    with asdf.config_context() as config:
        config.default_array_save_base = base
        for array in arrays.values():
            if codec:
                file.set_array_compression(array, codec)
            file.set_array_storage(array, "inline" if inline else "internal")
        file.write_to(name, **options)
    values = {
        path: {"shape": list(array.shape), "values": plain(array)} for path, array in arrays.items()
    }
    return values


def main():
    files = {"types.asdf": write("types.asdf", types())}
    files["views.asdf"] = write("views.asdf", types(), base=True, pad_blocks=True)
    files["records.asdf"] = write("records.asdf", records())
    files["record_views.asdf"] = write("record_views.asdf", records(), base=True)
    files["masks.asdf"] = write("masks.asdf", masks())
    # Literals of 64 bits, and arrays without dimensions, it refuses to write in a tree.
    inline = ((path, array) for path, array in types() if array.ndim > 0 and path[:2] not in ("i8", "u8"))
    files["inline.asdf"] = write("inline.asdf", inline, inline=True)
    large = numpy.arange(3_000_000, dtype=">i4").reshape(3, -1) % 1000
    for codec in CODECS:
        arrays = {path: array for path, array in types() if path.endswith(("2x3x4_c", "_0_c"))}
        arrays["large"] = large
        name = f"{codec}.asdf"
        values = write(name, arrays, codec=codec)
        values["large"] = {"shape": list(large.shape), "sum": int(large.sum())}
        files[name] = values
    json.dump(files, sys.stdout)


main()
