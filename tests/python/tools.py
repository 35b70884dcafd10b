"""Random arrays of all types: writes them, and what numpy finds in them; later reads what we made.

With `make` the arrays are written into `arrays.npz`, changed ones into `changed.npz`, and what numpy
counts and compares is printed as JSON. With `check FILE` the arrays of an archive or folder that we
wrote are compared with those of `arrays.npz`. With `spread` arrays of small spread and large mean are
written into `spread.npz`, and mean and standard deviation of each printed, as fractions give them.
"""

import json
import math
import sys
from fractions import Fraction
from pathlib import Path

import numpy

RTOL, ATOL = 1e-3, 1e-6
DTYPES = "i1 <i2 >i2 <i4 >i4 <i8 >i8 u1 <u2 >u4 <u8 >u8 <f2 >f2 <f4 >f4 <f8 >f8 <c8 >c8 <c16 >c16 ?".split()
SHAPES = [(), (1,), (7,), (3, 5), (0, 4), (2, 3, 4), (300, 1000)]


def arrays(generator):
    made = {}
    for dtype in DTYPES:
        for shape in SHAPES:
            name = f"{dtype.replace('<', 'l').replace('>', 'b').replace('?', 'bool')}/s" + "_".join(map(str, shape))
            if dtype == "?":
                array = generator.integers(0, 2, shape).astype("?")
            elif numpy.dtype(dtype).kind in "iu":
                info = numpy.iinfo(dtype)
                array = generator.integers(info.min, info.max, shape, numpy.dtype(dtype).newbyteorder("="), True)
            else:
                array = numpy.asarray(generator.normal(3, 2, shape))
                if array.size > 5:
                    array.flat[:4] = [numpy.nan, numpy.inf, -numpy.inf, 0]
                if numpy.dtype(dtype).kind == "c":
                    array = array + 1j * numpy.flip(array.ravel()).reshape(shape)
            made[name] = numpy.asarray(array, dtype=dtype)
    made["order/fortran"] = numpy.asfortranarray(generator.normal(size=(20, 30, 7)))
    odd(made)
    made["order/text"] = numpy.array([["héllo", "b"], ["wörld!", ""]])
    inner = numpy.dtype([("x", ">f4", (2,)), ("on", "?")])
    record = numpy.zeros((4, 3), numpy.dtype([("id", "<i2"), ("in", inner, (2,)), ("z", "<c16")], align=True))
    record["id"] = generator.integers(-9, 9, (4, 3))
    record["in"]["x"] = generator.normal(size=(4, 3, 2, 2))
    record["z"] = 1 + 2j
    made["order/record"] = record
    for at in range(3):
        made[f"list/{at}/t"] = numpy.float64(at)
        made[f"list/{at}/v"] = generator.normal(size=4)
    return made


def odd(made):
    """Types, shapes and names that are met less often."""
    for order in "<>":
        name = "odd/" + ("little" if order == "<" else "big")
        made[name + "/text"] = numpy.array([["héllo", "b"], ["😀", ""]]).astype(order + "U6")
        made[name + "/one"] = numpy.array("é").astype(order + "U1")
        made[name + "/times"] = numpy.array(["2020-01-02T03:04:05", "NaT"], order + "M8[ns]")
        made[name + "/steps"] = numpy.array([[1, -2, 3]], order + "m8[25us]")
        made[name + "/day"] = numpy.array("1969-07-20", order + "M8[D]")
        made[name + "/none"] = numpy.zeros((0, 3), order + "M8[s]")
        made[name + "/plain"] = numpy.array([5], order + "m8")
        inner = numpy.dtype([("when", order + "M8[us]"), ("tag", "S3", (2,))])
        fields = [
            ("id", "u1"), ("name", order + "U4"), ("half", order + "f2"), ("when", order + "M8[ns]"),
            ("in", inner, (2, 1)), ("on", "?", (3,)), ("z", order + "c8"), ("été", order + "i2"),
        ]
        for align in (False, True):
            record = numpy.zeros((3, 2), numpy.dtype(fields, align=align))
            record["name"] = [["a", "ßx"], ["", "😀"], ["long", "b"]]
            record["half"] = 0.5
            record["when"] = numpy.datetime64("2021-05-06T07:08:09.123456789")
            record["in"]["tag"] = [b"ab", b"\x80"]
            record["in"]["when"] = numpy.datetime64("NaT")
            record["on"] = [True, False, True]
            record["z"] = 1 - 2j
            record["été"] = -7
            made[f"{name}/record{int(align)}"] = record
        made[name + "/empty"] = numpy.zeros((0,), numpy.dtype(fields))
        made[name + "/single"] = record[1, 1]
        made[name + "/columns"] = numpy.asfortranarray(record)
    made["odd/bytes"] = numpy.array([[b"ab", b"c\x80\xff"], [b"", b"\x81"]])
    made["odd/byte"] = numpy.array(b"x")
    made["odd/columns of bytes"] = numpy.asfortranarray(made["odd/bytes"])
    made["odd/swapped"] = numpy.arange(24, dtype=">f4").reshape(2, 3, 4).transpose(2, 0, 1)
    made["odd/every other"] = numpy.arange(20)[::-2]
    made["with space/ünïcode/x y"] = numpy.array([1.5])
    made["with space/'quoted' \"twice\""] = numpy.array(2)
    made["dots.and-dashes/a.b"] = numpy.array([True, False])
    for at in range(2):
        made[f"times/{at}"] = numpy.array([at], "M8[s]")


def numbers(array):
    """What `stat` says of an array: NaNs left out, mean and std of what is finite."""
    wide = array.astype("f8") if array.dtype.kind == "f" else array
    special = wide if array.dtype.kind == "f" else numpy.zeros(0)
    known = wide[~numpy.isnan(wide)] if array.dtype.kind == "f" else wide.ravel()
    finite = known[numpy.isfinite(known)] if array.dtype.kind == "f" else known
    some = finite.size > 0
    # Exact sums of integers, in Python's own.
    mean = (sum(finite.tolist()) / finite.size if array.dtype.kind in "iu" else float(finite.mean())) if some else None
    std = float(numpy.sqrt(numpy.mean((finite.astype("longdouble") - numpy.longdouble(mean)) ** 2))) if some else None
    least = known.min().item() if known.size else None
    most = known.max().item() if known.size else None
    shown = lambda value: str(value).replace("nan", "nan") if isinstance(value, float) and not numpy.isfinite(value) else value
    return {
        "count": array.size,
        "min": shown(least),
        "max": shown(most),
        "mean": mean,
        "std": std,
        "nan": int(numpy.isnan(special).sum()),
        "inf": int(numpy.isinf(special).sum()),
        "zeros": int((array == 0).sum()),
    }


def statistics(array):
    if array.dtype.kind == "c":
        return [numbers(array.real), numbers(array.imag)]
    return [numbers(array)]


def differing(a, b):
    """How many elements `diff` finds with the tolerances, NaN being equal to NaN."""
    if a.dtype.kind not in "fc":
        return int((a != b).sum())
    # Both in the type that holds all values, so that only the formula decides.
    wide = "c16" if a.dtype.kind == "c" else "f8"
    a, b = a.astype(wide), b.astype(wide)
    close = lambda a, b: numpy.isclose(a, b, RTOL, ATOL, equal_nan=True)
    if wide == "f8":
        return int((~close(a, b)).sum())
    # Where a part is not finite, we compare the parts by themselves.
    parts = close(a.real, b.real) & close(a.imag, b.imag)
    return int((~numpy.where(numpy.isfinite(a - b), close(a, b), parts)).sum())


def counted(name, array):
    """Whether it is of numbers, and its name needs no quotes in a path."""
    return array.dtype.kind in "fciu?" and not name.startswith("odd/") and not set(name) & set(" .")


def make():
    generator = numpy.random.default_rng(7)
    made = arrays(generator)
    numpy.savez("arrays.npz", **made)
    changed, counts = {}, {}
    for name, array in made.items():
        other = array.copy()
        if array.dtype.kind in "fc" and array.size > 0:
            factor = 1 + generator.choice([0, 1e-4, 5e-4, 5e-3], array.shape)
            with numpy.errstate(all="ignore"):
                other = numpy.asarray(array * factor, array.dtype)
        elif array.dtype.kind in "iu?" and array.size > 0:
            other = numpy.where(generator.random(array.shape) < 0.1, ~array, array).astype(array.dtype)
        changed[name] = other
        if counted(name, array):
            counts["/" + name] = differing(array, other)
    numpy.savez("changed.npz", **changed)
    statistic = {"/" + name: statistics(array) for name, array in made.items() if counted(name, array)}
    print(json.dumps({"stat": statistic, "diff": counts, "rtol": RTOL, "atol": ATOL}))


def check(path):
    expected = dict(numpy.load("arrays.npz"))
    # Lists of dicts come as columns.
    lists = {}
    for name in [name for name in expected if name.startswith("list/")]:
        lists.setdefault("list/" + name.rsplit("/", 1)[1], []).append(expected.pop(name))
    expected.update({name: numpy.stack(items) for name, items in lists.items()})
    if Path(path).is_dir():
        files = {str(file.relative_to(path))[:-4]: file for file in Path(path).rglob("*.npy")}
        found = {name: numpy.load(file) for name, file in files.items()}
    else:
        found = dict(numpy.load(path))
    assert set(found) == set(expected), set(found) ^ set(expected)
    for name, array in expected.items():
        assert found[name].shape == array.shape, name
        same(found[name], array, name)


def same(found, array, name):
    """That both are of one type, and have the same bytes but between fields; whole texts come as U of
    little-endian characters, as long as the longest."""
    assert found.shape == array.shape, (name, found.shape)
    if array.dtype.names:
        assert found.dtype.names == array.dtype.names, (name, found.dtype)
        assert found.dtype.itemsize == array.dtype.itemsize, (name, found.dtype)
        for field in array.dtype.names:
            assert found.dtype.fields[field][1] == array.dtype.fields[field][1], (name, field)
            same_fields = found[field].dtype == array[field].dtype or array[field].dtype.names
            assert same_fields, (name, field, found[field].dtype)
            same(found[field], array[field], f"{name}.{field}")
    elif array.dtype.kind == "U" and "." not in name:
        assert found.dtype.kind == "U" and (found == array).all(), (name, found)
    else:
        assert found.dtype == array.dtype, (name, found.dtype)
        assert found.tobytes() == array.tobytes(), (name, found, array)


def spread():
    generator = numpy.random.default_rng(11)
    made = {"time": 1_600_000_000_000_000_000 + 100 * numpy.arange(5, dtype="<i8")}
    for code in "i1 u1 <i2 >u2 <i4 >i4 <u4 >u4 <i8 >i8 <u8 >u8".split():
        info = numpy.iinfo(code)
        for size in [1, 2, 3, 2049]:
            for width in [1, 2, 200, 1 << 27, 1 << 40, info.max - info.min]:
                width = min(width, info.max - info.min)
                for at, low in enumerate([info.min, info.max - width, 0, (info.max - width) // 3]):
                    high = min(low + width, info.max)
                    array = generator.integers(low, high, size, numpy.dtype(code).newbyteorder("="), True)
                    made[f"{code.replace('<', 'l').replace('>', 'b')}/n{size}w{width}at{at}"] = array.astype(code)
    # So large that several threads count it.
    many = 1_700_000_000_000_000_000 + generator.integers(0, 1 << 30, (500, 1000))
    made["many"], made["columns"] = many, numpy.asfortranarray(many)
    record = numpy.zeros(5000, [("on", "u1"), ("when", ">i8"), ("x", "<f8")])
    record["when"], record["x"] = many[0, 0] + numpy.arange(5000), 1e9 + generator.normal(size=5000)
    made["record"] = record
    for code in "<f2 >f4 <f8 >f8".split():
        for at, (mean, width) in enumerate([(0, 1), (1e3, 1), (1e9, 1e-3), (1e15, 4), (-1e300, 1e285), (3e-310, 1e-310)]):
            if abs(mean) < float(numpy.finfo(code).max):
                for size in [1, 7, 3000]:
                    array = (mean + width * generator.normal(size=size)).astype(code)
                    made[f"{code[1:]}{'l' if code[0] == '<' else 'b'}/mean{at}n{size}"] = array
    made["complex"] = (made["f8l/mean2n3000"] + 1j * made["f8l/mean1n3000"]).astype(">c16")
    made["gaps"] = made["f8l/mean2n3000"].copy()
    made["gaps"][::7] = numpy.nan
    numpy.savez("spread.npz", **made)
    print(json.dumps({path: of_fractions(array) for name, array in made.items() for path, array in leaves(name, array)}))


def leaves(name, array):
    if array.dtype.names:
        return [(f"/{name}.{field}", array[field]) for field in array.dtype.names]
    if array.dtype.kind == "c":
        return [(f"/{name} real", array.real), (f"/{name} imag", array.imag)]
    return [("/" + name, array)]


def of_fractions(array):
    numbers = [Fraction(number) for number in array.ravel().tolist() if number == number]
    mean = sum(numbers) / len(numbers)
    squares = sum((number - mean) ** 2 for number in numbers) if len(numbers) < 10000 else None
    if squares is None:
        whole = array.ravel().tolist()
        squares = sum(number * number for number in whole) - len(whole) * mean * mean
    variance = squares / len(numbers)
    scale = 1 << 1300
    root = Fraction(math.isqrt(int(variance * scale * scale)), scale)
    return {"mean": float(mean), "std": float(root), "whole": array.dtype.kind in "iu"}


{"make": make, "spread": spread}.get(sys.argv[1], lambda: check(sys.argv[2]))()
