"""Arrays with masked elements: none of them is given as a value."""

import numpy as np
import pytest

import dudley

HEAD = "#ASDF 1.0.0\n%TAG ! tag:stsci.edu:asdf/\n---\n"


def opened(**arrays):
    lines = "".join(f"{name}: {text}\n" for name, text in arrays.items())
    return dudley.open((HEAD + lines + "...\n").encode())


@pytest.fixture
def f():
    nd = "!core/ndarray-1.1.0"
    return opened(
        ints=f"{nd} {{data: [1, 7, 3, 7], datatype: int16, mask: 7}}",
        floats=f"{nd} {{data: [[1, null], [2, 0.5]], datatype: float32, shape: [2, 2]}}",
        struct=f"{nd} {{data: [[1, null], [2, 0.5], [null, null]], datatype: [int8, float64], shape: [3]}}",
        plain=f"{nd} {{data: [1, 2], datatype: int8}}",
        none=f"{nd} {{data: [1, 2], datatype: int8, mask: 9}}",
        list=f"[{{v: {nd} {{data: [1, 2], datatype: int8}}}}, {{v: {nd} {{data: [null, 2], datatype: int8, shape: [2]}}}}]",
    )


def check(found, values):
    """Whether an array has these values, and is masked where they are None."""
    assert isinstance(found, np.ma.MaskedArray)
    assert found.tolist() == values


def test_elements(f):
    check(f["ints"].read(), [1, None, 3, None])
    check(f["ints"][1:3], [None, 3])
    check(f["ints"][[0, 3]], [1, None])
    assert f["ints"][0] == 1 and f["ints"][1] is np.ma.masked
    check(f["/ints[::-1]"].read(), [None, 3, None, 1])
    check(f["floats"].read(), [[1, None], [2, 0.5]])
    check(f["floats"][:, 1], [None, 0.5])
    check(f["floats"][f["floats"].read().mask], [None])
    assert f["ints"].value() == [1, None, 3, None]
    assert f["ints"].is_masked and not f["plain"].is_masked and not f["none"].is_masked
    assert not isinstance(f["none"].read(), np.ma.MaskedArray) and f["none"].view().tolist() == [1, 2]
    with pytest.raises(dudley.BadValue):
        f["ints"].view()
    with pytest.raises(ValueError):
        f["ints"].__array__(copy=False)


def test_cells_of_structs(f):
    read = f["struct"].read()
    check(read["f0"], [1, 2, None])
    check(read["f1"], [None, 0.5, None])
    check(f["struct"]["f1"].read(), [None, 0.5, None])
    check(f["/struct.f0[1:]"].read(), [2, None])
    check(f["struct"][1:]["f0"], [2, None])
    assert f["struct"].value()[0] == {"f0": 1, "f1": None}
    assert f["struct"][1].tolist() == (2, 0.5)


def test_columns(f):
    check(f["/list[:]/v"].read(), [[1, 2], [None, 2]])
    check(f["list"]["v"][:, 0], [1, None])
    assert f["/list[:1]/v"].read().tolist() == [[1, 2]]


def test_into_arrays(f):
    out = np.ma.zeros(4, "i2")
    f["ints"].read(out=out)
    check(out, [1, None, 3, None])
    with pytest.raises(dudley.BadValue, match="masked"):
        f["ints"].read(out=np.zeros(4, "i2"))


def test_as_asdf_has_them(tmp_path):
    asdf = pytest.importorskip("asdf")
    rng = np.random.default_rng(2)
    values = rng.integers(0, 99, (300, 400)).astype("i4")
    masked = np.ma.masked_array(values, rng.random(values.shape) < 0.3)
    asdf.AsdfFile({"m": masked}).write_to(tmp_path / "x.asdf")
    found = dudley.open(tmp_path / "x.asdf")["m"]
    np.testing.assert_array_equal(np.ma.getmaskarray(found.read()), masked.mask)
    np.testing.assert_array_equal(found[3:9, ::-7], masked[3:9, ::-7])
    np.testing.assert_array_equal(np.ma.getmaskarray(found[3:9, ::-7]), masked.mask[3:9, ::-7])
