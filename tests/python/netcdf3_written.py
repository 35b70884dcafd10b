"""Reads with netCDF4 and xarray what `dudc convert` writes as netCDF-3: netcdf3_written.py DUDC FILE..., in a folder.

Each file is written anew as netCDF, and through a stream; and arrays of numpy are written.
"""

import subprocess
import sys

import h5py
import netCDF4
import numpy

dudc, *files = sys.argv[1:]


def run(*arguments):
    done = subprocess.run([dudc, "convert", "--force", *arguments], capture_output=True, text=True)
    assert done.returncode == 0, (arguments, done.stderr)
    return done.stderr


def opened(name):
    file = netCDF4.Dataset(name)
    file.set_auto_maskandscale(False)
    file.set_auto_chartostring(False)
    return file


def attributes(of):
    return {name: of.getncattr(name) for name in of.ncattrs()}


def same_attributes(before, after, where):
    before, after = attributes(before), attributes(after)
    for name, value in before.items():
        if isinstance(value, str):
            value = value.replace("\0", "\ufffd")
        assert name in after, (where, name, list(after))
        if not isinstance(value, str):
            types = [numpy.asarray(it).dtype for it in (value, after[name])]
            assert types[0] == types[1] or name == "_FillValue", (where, name, types)
        is_float = numpy.asarray(value).dtype.kind == "f"
        assert numpy.array_equal(value, after[name], equal_nan=is_float), (where, name, value, after[name])


def compare(source, written):
    with opened(source) as before, opened(written) as after:
        assert set(before.variables) == set(after.variables), (source, list(after.variables))
        same_attributes(before, after, source)
        used = {name for variable in before.variables.values() for name in variable.dimensions}
        unlimited = lambda file: {name for name in used if file.dimensions[name].isunlimited()}
        assert unlimited(before) == unlimited(after), (source, unlimited(after))
        for name, variable in before.variables.items():
            other = after[name]
            assert variable.dtype == other.dtype, (source, name, variable.dtype, other.dtype)
            assert variable.dimensions == other.dimensions, (source, name, other.dimensions)
            own, its = numpy.asarray(variable[...]), numpy.asarray(other[...])
            assert own.shape == its.shape and own.tobytes() == its.tobytes(), (source, name)
            same_attributes(variable, other, (source, name))


for file in files:
    said = run(file, "anew.nc", "--stored").splitlines()
    # What pads names is odd, and lost is nothing.
    lost = [line for line in said if "the bytes that pad it are not zeros" not in line]
    assert not lost, lost
    compare(file, "anew.nc")
    with opened(file) as source:
        if not source.variables:
            continue
    run(file, "stream.bd", "--stored")
    run("stream.bd", "again.nc", "--stored")
    compare(file, "again.nc")
    # The same as HDF5.
    run(file, "faced.h5", "--stored")
    with opened(file) as source, h5py.File("faced.h5") as faced:
        for name, variable in source.variables.items():
            own, its = numpy.asarray(variable[...]), numpy.asarray(faced[name][()])
            is_text = own.dtype.kind == "S"
            assert is_text or own.dtype == its.dtype.newbyteorder("="), (file, name, its.dtype)
            assert own.tobytes() == (its if is_text else its.astype(own.dtype)).tobytes(), (file, name)
            dims = [dim.label or (dim[0].name.rsplit("/")[-1] if len(dim) else name) for dim in faced[name].dims]
            assert is_text or dims == list(variable.dimensions), (file, name, dims)

arrays = {
    "a": numpy.arange(6, dtype="i2").reshape(2, 3),
    "u": numpy.arange(4, dtype="u4"),
    "flag": numpy.array([True, False]),
    "half": numpy.array([0.5, 1.5], "f2"),
    "z": numpy.array([1 + 2j, 3 - 4j], "c8"),
    "latin": numpy.array([b"l\xe4ngs"]),
    "names": numpy.array(["lat", "längs"]),
    "time": numpy.array(["2024-01-01", "2024-01-02"], "M8[ns]"),
    "big": numpy.array([1 << 40], "i8"),
    "rows": numpy.array([(1, 2.5), (3, 4.5)], [("n", "i4"), ("x", "f8")]),
}
numpy.savez("arrays.npz", **arrays)
said = run("arrays.npz", "arrays.nc")
for word in ("b1 becomes i1", "f2 becomes f4", "pairs of f4", "the structs of `/rows`"):
    assert word in said, (word, said)
with opened("arrays.nc") as file:
    assert file.data_model == "NETCDF3_64BIT_DATA", file.data_model
    for name in ("a", "u", "big"):
        assert file[name].dtype == arrays[name].dtype and (file[name][...] == arrays[name]).all(), name
    assert list(file["flag"][:]) == [1, 0] and list(file["half"][:]) == [0.5, 1.5]
    assert (file["z"][...] == [[1, 2], [3, -4]]).all()
    assert netCDF4.chartostring(file["names"][...], encoding="utf-8").tolist() == ["lat", "längs"]
    assert file["latin"]._Encoding == "cp1252" and file["latin"][...].tobytes() == b"l\xe4ngs"
    assert file["time"].units == "nanoseconds since 1970-01-01"
    assert list(file["rows.x"][:]) == [2.5, 4.5] and file["rows.n"].dimensions == file["rows.x"].dimensions
read = subprocess.run([dudc, "get", "arrays.nc", "/latin"], capture_output=True, text=True).stdout
assert "längs" in read, read
numpy.savez("plain.npz", a=arrays["a"])
assert not run("plain.npz", "plain.nc")
with opened("plain.nc") as file:
    assert file.data_model == "NETCDF3_CLASSIC" and (file["a"][...] == arrays["a"]).all()
print("written")
