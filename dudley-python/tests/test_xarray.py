"""Files as datasets of xarray."""

import os
import pickle

import numpy as np
import pytest

import dudley

xr = pytest.importorskip("xarray")


@pytest.fixture
def run(tmp_path):
    path = tmp_path / "run.bd"
    layout_tree = {
        "x": np.arange(3.0),
        "t": np.array([0, 6, 12], "i4"),
        "rho": np.arange(12.0).reshape(3, 4),
        "packed": np.array([1, 2, -9], "i2"),
        "mesh": {"y": np.arange(4.0), "z": np.ones((3, 4))},
        "history": [{"time": float(k), "e": np.full(2, k)} for k in range(6)],
    }
    dudley.write(
        path,
        layout_tree,
        units={"/rho": "g/cc", "/t": "hours since 2026-01-01"},
        docs={"/rho": "density"},
        attrs={"/packed": {"scale_factor": 0.5, "_FillValue": -9}, "/": {"title": "a run"}},
        dims={"/rho": ["x", "y"], "/x": ["x"], "/packed": ["x"]},
    )
    return path


def test_open_dataset(run):
    ds = xr.open_dataset(run, engine="dudley")
    assert ds.rho.dims == ("x", "y") and ds.rho.attrs["units"] == "g/cc" and ds.rho.attrs["long_name"] == "density"
    assert "x" in ds.coords and ds.attrs["title"] == "a run"
    np.testing.assert_array_equal(ds.rho.isel(x=1, y=slice(1, 3)), [5, 6])
    np.testing.assert_array_equal(ds.packed, [0.5, 1, np.nan])
    assert ds.t.dtype.kind == "M" and ds.t.values[1] == np.datetime64("2026-01-01T06")
    assert ds.time.dims == ("history",) and ds.e.shape == (6, 2)
    np.testing.assert_array_equal(ds.time, range(6))
    np.testing.assert_array_equal(ds.sel(x=2.0).rho, [8, 9, 10, 11])


def test_groups_and_trees(run):
    mesh = xr.open_dataset(run, engine="dudley", group="/mesh")
    assert set(mesh) == {"y", "z"}
    tree = xr.open_datatree(run, engine="dudley")
    assert tree["mesh/z"].shape == (3, 4)


def test_dims_of_params(tmp_path):
    layout = "N : i4  u = f8[N, N+]  v = f8[N-]"
    data = np.array([2], "<i4").tobytes() + bytes(4) + np.arange(7.0).tobytes()
    (tmp_path / "x.raw").write_bytes(data)
    ds = xr.open_dataset(tmp_path / "x.raw", engine="dudley", layout=layout, raw=True)
    assert ds.u.dims == ("N", "N_p1") and ds.v.dims == ("N_m1",)
    assert ds.attrs["N"] == 2


def test_dask_reads_lazily_and_in_other_processes(run):
    dask = pytest.importorskip("dask")
    ds = xr.open_dataset(run, engine="dudley", chunks={"x": 1})
    assert ds.rho.chunks[0] == (1, 1, 1)
    again = pickle.loads(pickle.dumps(ds))
    np.testing.assert_array_equal(again.rho.compute(), np.arange(12.0).reshape(3, 4))
    with dask.config.set(scheduler="processes"):
        assert float(ds.rho.sum()) == 66
    assert dask.base.tokenize(ds.rho.data) == dask.base.tokenize(xr.open_dataset(run, engine="dudley", chunks={"x": 1}).rho.data)


def test_many_files(tmp_path):
    pytest.importorskip("dask")
    for k in range(4):
        dudley.write(tmp_path / f"{k}.bd", {"x": np.full((1, 2), k)}, dims={"/x": ["member", "i"]})
    ds = xr.open_mfdataset(str(tmp_path / "*.bd"), engine="dudley", combine="nested", concat_dim="member")
    np.testing.assert_array_equal(ds.x[:, 0], range(4))


def test_guesses_take_nothing_from_others(run, tmp_path):
    from dudley.xarray import DudleyBackend

    guess = DudleyBackend().guess_can_open
    assert guess(run)
    (tmp_path / "x.nc").write_bytes(run.read_bytes())
    assert not guess(tmp_path / "x.nc") and not guess(tmp_path / "none.bd") and not guess(b"x")
    assert set(xr.open_dataset(run)) >= {"rho"}


def test_netcdf3_is_as_scipy_opens_it(tmp_path):
    pytest.importorskip("scipy")
    ds = xr.Dataset(
        {"v": (("time", "x"), np.arange(6, dtype="f4").reshape(3, 2), {"units": "K"})},
        {"time": np.array(["2026-01-01", "2026-01-02", "2026-01-03"], "datetime64[ns]"), "x": [1.0, 2.0]},
    )
    ds.to_netcdf(tmp_path / "x.nc", engine="scipy")
    mine = xr.open_dataset(tmp_path / "x.nc", engine="dudley")
    theirs = xr.open_dataset(tmp_path / "x.nc", engine="scipy")
    xr.testing.assert_equal(mine, theirs)
    assert mine.v.attrs["units"] == "K"


def asdf(**arrays):
    lines = "".join(f"{name}: {text}\n" for name, text in arrays.items())
    return ("#ASDF 1.0.0\n%TAG ! tag:stsci.edu:asdf/\n---\n" + lines + "...\n").encode()


ND = "!core/ndarray-1.1.0"


def test_masked_elements_are_no_number():
    file = asdf(
        i=f"{ND} {{data: [1, 7, 3], datatype: int16, mask: 7}}",
        f=f"{ND} {{data: [1, 7, 3], datatype: float32, mask: 7}}",
        plain=f"{ND} {{data: [1, 7, 3], datatype: int16}}",
    )
    ds = xr.open_dataset(file, engine="dudley")
    assert (ds.i.dtype, ds.f.dtype, ds.plain.dtype) == ("f8", "f4", "i2")
    np.testing.assert_array_equal(ds.i, [1, np.nan, 3])
    np.testing.assert_array_equal(ds.f, np.array([1, np.nan, 3], "f4"))
    np.testing.assert_array_equal(ds.i[::2], [1, 3])


@pytest.mark.parametrize("kind, value", [("int64", 2**53 + 1), ("uint64", 2**64 - 1), ("int64", 2**63 - 1)])
def test_masked_integers_that_floats_do_not_have(kind, value):
    file = asdf(i=f"{ND} {{data: [{value}, 7, 2], datatype: {kind}, mask: 7}}")
    ds = xr.open_dataset(file, engine="dudley")
    np.testing.assert_array_equal(ds.i[1:], [np.nan, 2])
    with pytest.raises(dudley.BadValue, match="exact"):
        ds.i.load()
    # A masked one is no value, whatever is stored.
    file = asdf(i=f"{ND} {{data: [1, {value}], datatype: {kind}, mask: {value}}}")
    np.testing.assert_array_equal(xr.open_dataset(file, engine="dudley").i, [1, np.nan])


def test_what_is_left_out_is_said():
    layout = "s = {n : u1 d = u1[n]}[2]  l [/ x = u1  n : u1  d = u1[n]]*2  e [u1]*2"
    with pytest.warns(UserWarning) as said:
        file = bytes([1, 7, 2, 8, 9, 5, 0, 6, 1, 4, 1, 2])
        ds = xr.open_dataset(file, engine="dudley", layout=layout, raw=True)
    assert {str(one.message).split("`")[1] for one in said} == {"/l[:]/d"}
    np.testing.assert_array_equal(ds.x, [5, 6])
    np.testing.assert_array_equal(ds.e, [1, 2])
    assert ds.s.values[1] == {"n": 2, "d": [8, 9]} and ds.x.dims == ("l",)


def test_values_are_attributes():
    file = asdf(name="a run", n="3", at="[1, 2.5]", x=f"{ND} {{data: [1], datatype: int8}}", deep="{a: 1}")
    ds = xr.open_dataset(file, engine="dudley")
    assert ds.attrs == {"name": "a run", "n": 3, "at": [1, 2.5]}


def test_groups_open_a_file_once(run, monkeypatch):
    from dudley import _native

    opened = []
    own = _native.open
    monkeypatch.setattr(_native, "open", lambda *a, **k: opened.append(a) or own(*a, **k))
    xr.open_datatree(run, engine="dudley")
    assert len(opened) == 1


def test_datasets_are_written(run, tmp_path):
    ds = xr.open_dataset(run, engine="dudley")
    times = np.array(["2026-01-01", "2026-01-02T03", "2026-01-03"], "datetime64[ns]")
    ds = ds.assign_coords(when=("x", times)).assign(flag=("x", [True, False, True]), label=("x", ["a", "bc", "ä"]), unit=("x", ["a", "b", "c"]))
    ds.dudley.to_file(tmp_path / "y.bd")
    again = xr.open_dataset(tmp_path / "y.bd", engine="dudley")
    xr.testing.assert_equal(again, ds)
    assert again.rho.attrs["units"] == "g/cc" and again.attrs["title"] == "a run"
    f = dudley.open(tmp_path / "y.bd")
    assert f["rho"].unit == "g/cc" and f["rho"].dims == ("x", "y")
    with pytest.raises(dudley.FileError):
        ds.dudley.to_file(tmp_path / "y.bd")


def test_attributes_are_those_of_netcdf(tmp_path):
    """Their types, their names, and what stands for missing characters."""
    netCDF4 = pytest.importorskip("netCDF4")
    path = tmp_path / "x.nc"
    for form in "NETCDF3_CLASSIC", "NETCDF4":
        with netCDF4.Dataset(path, "w", format=form) as file:
            file.createDimension("x", 2)
            letters = file.createVariable("letters", "S1", ("x",), fill_value="-")
            letters[:] = np.array([b"a", b"-"])
            packed = file.createVariable("packed", "i2", ("x",))
            packed.scale_factor, packed.valid_range = np.float32(0.1), np.array([0, 9], "i2")
            packed.setncatts({"order": "F", "dims": "none", "const": np.int16(3), "least": np.float32("-inf")})
            file.count = np.int16(2)
        theirs, mine = (xr.open_dataset(path, engine=of) for of in ("netcdf4", "dudley"))
        xr.testing.assert_identical(mine.load(), theirs.load())
        assert mine.packed.dtype == theirs.packed.dtype == "f4"
        for attrs, own in (theirs.attrs, mine.attrs), (theirs.packed.attrs, mine.packed.attrs):
            assert {k: np.asarray(v).dtype for k, v in own.items()} == {k: np.asarray(v).dtype for k, v in attrs.items()}
        assert mine.letters.encoding["_FillValue"] == theirs.letters.encoding["_FillValue"] == b"-"
        mine.drop_vars("letters").dudley.to_file(tmp_path / "y.bd", overwrite=True)
        again = xr.open_dataset(tmp_path / "y.bd", engine="dudley")
        assert again.packed.attrs.keys() == mine.packed.attrs.keys()


def test_trees_are_written(run, tmp_path):
    tree = xr.open_datatree(run, engine="dudley")
    tree.dudley.to_file(tmp_path / "y.bd")
    again = xr.open_datatree(tmp_path / "y.bd", engine="dudley")
    xr.testing.assert_equal(again, tree)
    assert "z" in dudley.open(tmp_path / "y.bd")["mesh"]


def test_a_cluster_of_dask(run, tmp_path):
    distributed = pytest.importorskip("distributed")
    for k in range(3):
        dudley.write(tmp_path / f"member{k}.bd", {"x": np.full((4, 5), k)}, params={"k": k}, dims={"/x": ["y", "x"]})
    with distributed.LocalCluster(n_workers=2, threads_per_worker=2, dashboard_address=None) as cluster, cluster.get_client():
        ds = xr.open_dataset(run, engine="dudley", chunks={"x": 1})
        assert float(ds.rho.sum()) == 66
        many = xr.open_mfdataset(str(tmp_path / "member*.bd"), engine="dudley", combine="nested", concat_dim="member", parallel=True)
        assert float(many.x.mean()) == 1
        fam = dudley.family(tmp_path / "member*.bd").to_xarray(chunks={"member": 1})
        np.testing.assert_array_equal(fam.x.mean(("y", "x")), [0, 1, 2])


def test_a_cluster_reads_the_files_of_many_ranks(tmp_path):
    """A run of 20 ranks that write a file each, at 50 steps: one dataset of 1,000 files, which the workers open by name."""
    distributed = pytest.importorskip("distributed")
    steps, ranks = 50, 20
    rho = np.arange(steps * ranks * 6.0).reshape(steps, ranks, 2, 3)
    for step in range(steps):
        for rank in range(ranks):
            params = {"step": step, "rank": rank}
            dudley.write(tmp_path / f"{step:04}-{rank:04}.bd", {"rho": rho[step, rank]}, params=params, dims={"/rho": ["y", "x"]})
    family = dudley.family(tmp_path / "*.bd", catalog=tmp_path / "run.catalog")
    assert len(family) == steps * ranks
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster, cluster.get_client():
        ds = family.to_xarray(chunks={"member": 100})
        assert ds.rho.shape == (steps * ranks, 2, 3) and ds.rho.chunks[0] == (100,) * 10
        # The dimension of files becomes those of steps and ranks.
        whole = ds.rho.data.reshape(steps, ranks, 2, 3)
        np.testing.assert_array_equal(whole.mean(axis=(1, 2, 3)).compute(), rho.mean(axis=(1, 2, 3)))
        assert float(ds.rho.max()) == rho[-1, -1].max()
        last = family.where("step == 49").to_xarray(chunks={"member": 5})
        np.testing.assert_array_equal(last.rho.mean(("y", "x")).compute(), rho[-1].mean(axis=(1, 2)))


def test_netcdf4_is_as_the_library_opens_it(tmp_path):
    netCDF4 = pytest.importorskip("netCDF4")
    with netCDF4.Dataset(tmp_path / "x.nc", "w") as file:
        file.createDimension("time", None)
        file.createDimension("lat", 3)
        # The first variable has several dimensions, and with it a number that is that of its first dimension. One with no
        # records stands before those that have some.
        air = file.createVariable("air", "i2", ("time", "lat"), fill_value=-99)
        file.createVariable("later", "f8", ("time",))
        time = file.createVariable("time", "f8", ("time",), fill_value=np.nan)
        lat = file.createVariable("lat", "f4", ("lat",))
        # Attributes of one element are arrays in HDF5, and numbers for netCDF.
        air.setncatts({"scale_factor": [0.01], "add_offset": [273.15], "level": np.array([2], "i2")})
        time.units = "days since 2000-01-01"
        air.set_auto_maskandscale(False)
        lat[:], time[:], air[:] = [1, 2, 3], [0, 1], np.arange(6).reshape(2, 3) - 99
    mine = xr.open_dataset(tmp_path / "x.nc", engine="dudley")
    theirs = xr.open_dataset(tmp_path / "x.nc", engine="netcdf4")
    # HDF5 has no records of it, where netCDF makes some of fill values.
    assert mine.later.dims == ("time",)
    xr.testing.assert_equal(mine, theirs)
    assert mine.air.dtype == theirs.air.dtype and mine.air.dims == ("time", "lat")
    assert mine.air.attrs == theirs.air.attrs


@pytest.mark.parametrize("form", ["NETCDF4", "NETCDF3_64BIT_OFFSET"])
def test_characters_are_as_the_library_has_them(tmp_path, form):
    """A dimension of characters that other variables have is kept; texts are put together along the others."""
    netCDF4 = pytest.importorskip("netCDF4")
    with netCDF4.Dataset(tmp_path / "x.nc", "w", format=form) as file:
        for name, size in (("profile", 2), ("level", 3), ("letters", 4)):
            file.createDimension(name, size)
        file.createVariable("flag", "S1", ("profile", "level"))[:] = np.array([[b"1", b"2", b"1"], [b"4", b"", b"1"]])
        file.createVariable("station", "S1", ("profile", "letters"))[:] = netCDF4.stringtochar(np.array([b"ab", b"cdef"]))
        file.createVariable("mode", "S1", ())[...] = b"R"
        file.createVariable("depth", "f4", ("profile", "level"))[:] = 1
    mine = xr.open_dataset(tmp_path / "x.nc", engine="dudley")
    theirs = xr.open_dataset(tmp_path / "x.nc", engine="netcdf4")
    xr.testing.assert_equal(mine, theirs)
    assert mine.flag.dims == ("profile", "level") and mine.flag.dtype == "S1" and mine.station.dtype == "S4"
    xr.testing.assert_equal(mine.isel(profile=1, level=slice(1, None)), theirs.isel(profile=1, level=slice(1, None)))


def test_arrays_are_as_long_as_their_dimensions(tmp_path):
    """Of netCDF-4, in which a variable may be stored shorter than a dimension without end is."""
    netCDF4 = pytest.importorskip("netCDF4")
    with netCDF4.Dataset(tmp_path / "x.nc", "w") as file:
        file.createDimension("time", None)
        file.createDimension("x", 2)
        file.createVariable("short", "i4", ("time", "x"), fill_value=-1)[:] = [[1, 2]]
        file.createVariable("none", "f4", ("time",))
        file.createVariable("texts", str, ("time",))[:2] = np.array(["one", "two"], object)
        file.createVariable("letters", "S1", ("time", "x"))[:1] = [[b"a", b"b"]]
        # In a group, which has the dimensions of those around it.
        file.createGroup("in").createVariable("long", "f8", ("time",))[:] = [1, 2, 3, 4]
        # Along other dimensions than that of its name.
        file.createVariable("x", "i2", ("time", "x"))[:] = [[5, 6], [7, 8]]
    mine = xr.open_dataset(tmp_path / "x.nc", engine="dudley")
    theirs = xr.open_dataset(tmp_path / "x.nc", engine="netcdf4")
    xr.testing.assert_equal(mine, theirs)
    for key in (slice(2, None), slice(None, None, -1), slice(0, 1), 3, 0, [0, 3], slice(1, 4, 2)):
        xr.testing.assert_equal(mine.isel(time=key), theirs.isel(time=key))
    # Each by itself, too.
    one = dudley.open(tmp_path / "x.nc")["short"]
    assert one.shape == (1, 2) and one.attrs["netcdf_shape"] == [4, 2]


def test_a_file_in_numbers_of_dimensions(tmp_path):
    """Files without lists of dimensions have numbers of them: only scales have one of their own."""
    h5py = pytest.importorskip("h5py")
    with h5py.File(tmp_path / "x.nc", "w", track_order=True) as file:
        for name, shape, number, numbers in [("air", (2, 3), 1, [1, 0]), ("lat", (3,), 0, [0]), ("time", (2,), 1, [1])]:
            file[name] = np.ones(shape)
            if len(shape) == 1:
                file[name].make_scale(name)
            file[name].attrs["_Netcdf4Dimid"] = np.int32(number)
            file[name].attrs["_Netcdf4Coordinates"] = np.array(numbers, "i4")
    f = dudley.open(tmp_path / "x.nc")
    assert [f[name].dims for name in ("air", "lat", "time")] == [("time", "lat"), ("lat",), ("time",)]


def test_what_grows_is_no_attribute(tmp_path):
    pytest.importorskip("scipy")
    ds = xr.Dataset({"v": (("time", "x"), np.ones((3, 2)))}, {"time": [0, 1, 2]})
    ds.to_netcdf(tmp_path / "x.nc", engine="scipy", unlimited_dims=["time"])
    mine = xr.open_dataset(tmp_path / "x.nc", engine="dudley")
    assert mine.encoding["unlimited_dims"] == {"time"} and "unlimited_dims" not in mine.attrs
    mine.dudley.to_file(tmp_path / "y.bd")
    dudley.convert(tmp_path / "y.bd", tmp_path / "y.nc")
    again = xr.open_dataset(tmp_path / "y.nc", engine="scipy")
    assert again.encoding["unlimited_dims"] == {"time"}


def test_dimensions_without_variables_are_no_coordinates(tmp_path):
    netCDF4 = pytest.importorskip("netCDF4")
    path = tmp_path / "bare.nc"
    with netCDF4.Dataset(path, "w") as file:
        file.createDimension("lon", 3)
        file.createVariable("t", "f8", ("lon",))[:] = [1.0, 2.0, 3.0]
    ours, theirs = xr.open_dataset(path, engine="dudley"), xr.open_dataset(path, engine="netcdf4")
    xr.testing.assert_identical(ours, theirs)
    assert "lon" not in ours.variables
    # Nor do they become variables of a classic file.
    dudley.convert(path, tmp_path / "classic.nc")
    with netCDF4.Dataset(tmp_path / "classic.nc") as file:
        assert (list(file.dimensions), list(file.variables)) == (["lon"], ["t"])


def test_closed_datasets_close_their_files(tmp_path):
    for at in range(3):
        dudley.write(tmp_path / f"{at}.bd", {"x": np.full(4, at)}, dims={"/x": ["t"]})
    with xr.open_mfdataset(str(tmp_path / "*.bd"), engine="dudley", combine="nested", concat_dim="t") as many:
        assert many.x.sum() == 12
    opened = len(os.listdir("/proc/self/fd")) if os.path.isdir("/proc/self/fd") else 0
    kept = [xr.open_dataset(tmp_path / f"{at}.bd", engine="dudley", cache=False) for at in range(3) for _ in range(10)]
    for one in kept:
        one.close()
    if opened:
        assert len(os.listdir("/proc/self/fd")) <= opened + 3
    # As with other engines, a file is opened again where it is read.
    assert kept[-1].x[0] == 2 and pickle.loads(pickle.dumps(kept[0])).x[0] == 0


def test_titles_stay_titles(tmp_path):
    netCDF4 = pytest.importorskip("netCDF4")
    with netCDF4.Dataset(tmp_path / "a.nc", "w", format="NETCDF3_CLASSIC") as file:
        file.title = "a run"
        file.createDimension("x", 2)
        file.createVariable("v", "f8", ("x",))[:] = [1, 2]
    own = xr.open_dataset(tmp_path / "a.nc", engine="netcdf4")
    ds = xr.open_dataset(tmp_path / "a.nc", engine="dudley")
    xr.testing.assert_identical(own, ds)
    ds.dudley.to_file(tmp_path / "b.bd")
    xr.testing.assert_identical(own, xr.open_dataset(tmp_path / "b.bd", engine="dudley"))
    assert dudley.open(tmp_path / "b.bd").doc == "a run"
