"""Families: many streams of one layout."""

import pickle

import numpy as np
import pytest

import dudley




@pytest.fixture
def runs(tmp_path):
    for k in range(6):
        tree = {"time": np.float64(0.5 * k), "rho": (np.arange(12.0) + 100 * k).reshape(3, 4), "history": [{"e": float(k)}, {"e": -float(k)}]}
        dudley.write(tmp_path / f"{k}.bd", tree, params={"N": k % 3}, units={"/rho": "g/cc"}, dims={"/rho": ["y", "x"]}, attrs={"/": {}})
    return tmp_path


def test_members(runs):
    fam = dudley.family(runs / "*.bd")
    assert len(fam) == 6 and [path[-4:] for path in fam.files] == [f"{k}.bd" for k in range(6)]
    assert "N" in fam.columns and fam.column("N").tolist() == [0, 1, 2, 0, 1, 2]
    some = fam.where("N > 0")
    assert some.members.tolist() == [1, 2, 4, 5] and len(some[1:3]) == 2
    rho = fam["/rho[0, :]"]
    assert rho.shape == (6, 4) and rho.unit == "g/cc" and rho.dtype == "f8"
    np.testing.assert_array_equal(rho.read(), [np.arange(4) + 100 * k for k in range(6)])
    np.testing.assert_array_equal(some["rho"].read()[:, 2, 1], [109, 209, 409, 509])
    np.testing.assert_array_equal(np.asarray(fam["time"]), [0, 0.5, 1, 1.5, 2, 2.5])
    np.testing.assert_array_equal(fam["/history[:]/e"].read()[:, 1], [0, -1, -2, -3, -4, -5])
    assert fam.open(3)["time"][()] == 1.5 and "N" in fam.to_pandas()
    assert "rho" in fam.layout and "6 members" in repr(fam)
    with pytest.raises(dudley.NotFound):
        fam.column("none")
    with pytest.raises(dudley.Error):
        fam["/none"].read()
    with pytest.raises(dudley.Error):
        fam.where("no such thing")
    with pytest.raises(dudley.NotFound):
        dudley.family(runs / "*.none")


def test_what_is_missing(runs):
    fam = dudley.family(str(runs / "*.bd"))
    (runs / "2.bd").unlink()
    with pytest.raises(dudley.Error, match="2.bd"):
        fam["rho"].read()
    rho = fam["/rho[0]"]
    filled = rho.read(missing=np.nan)
    assert np.isnan(filled[2]).all() and filled[3, 1] == 301
    assert rho.unserved[0].members == [2] and rho.unserved[0].file.endswith("2.bd")
    assert rho.read(missing="skip").shape == (5, 4)


def test_catalogs_that_are_kept(runs):
    catalog = runs / "all.catalog"
    fam = dudley.family(runs / "[0-3].bd", catalog=catalog)
    assert len(fam) == 4 and catalog.exists()
    said = fam.update(runs / "*.bd")
    assert said["added"] == 2 and len(fam) == 6
    assert len(dudley.family(catalog)) == 6
    assert pickle.loads(pickle.dumps(fam))["time"].read()[5] == 2.5
    assert len(dudley.family(runs / "*.bd", catalog=catalog)) == 6


def test_datasets(runs):
    xr = pytest.importorskip("xarray")
    pytest.importorskip("dask")
    fam = dudley.family(runs / "*.bd")
    ds = fam.to_xarray(chunks={"member": 2})
    assert ds.rho.dims == ("member", "y", "x") and ds.rho.chunks[0] == (2, 2, 2)
    expected = np.stack([(np.arange(12.0) + 100 * k).reshape(3, 4) for k in range(6)])
    np.testing.assert_array_equal(ds.rho, expected)
    np.testing.assert_array_equal(ds.rho[::-2, 1, ::-1], expected[::-2, 1, ::-1])
    np.testing.assert_array_equal(ds.rho.isel(member=3, y=slice(1, None)), expected[3, 1:])
    np.testing.assert_array_equal(ds.e[:, 0], range(6))
    assert ds.rho.attrs["units"] == "g/cc"
    lazy = fam.where("N == 1").to_xarray()
    assert lazy.member.values.tolist() == [1, 4]
    np.testing.assert_array_equal(lazy.rho.sel(member=4), expected[4])
    (runs / "0.bd").unlink()
    assert np.isnan(fam.to_xarray(missing=np.nan).rho[0]).all()


def test_a_dimension_of_files_may_be_called_member(tmp_path):
    pytest.importorskip("xarray")
    for at in range(3):
        dudley.write(tmp_path / f"{at}.bd", {"x": np.full((1, 2), float(at))}, params={"k": at}, dims={"/x": ["member", "i"]})
    found = dudley.family(tmp_path / "*.bd").to_xarray()
    assert found.x.dims == ("member", "x_member", "i") and found.x.shape == (3, 1, 2)
    assert found.x.sum() == 6
