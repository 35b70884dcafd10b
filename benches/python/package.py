"""The Python package beside h5py, netCDF4 and numpy: ratios of medians of pairs, taken by turns.

    python benches/python/package.py [FOLDER] [ROW ...]

It wants a release build of the package (`pip install ./dudley-python`), h5py, netCDF4, xarray and dask. Files are made in FOLDER
(2.5 GB) if they are not there; they are read from the system's cache. ROW is a part of the names of the rows to measure.
"""

import gc
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

import numpy as np

import dudley

FOLDER = Path(sys.argv[1] if len(sys.argv) > 1 else "target/bench-data/python")
ROWS = sys.argv[2:]
SIDE = 8192
RECORDS = 1_000_000
FILES = 2000


def made():
    """The files that are read."""
    import h5py

    FOLDER.mkdir(parents=True, exist_ok=True)
    if (FOLDER / "done").exists():
        return
    rho = np.arange(float(SIDE * SIDE)).reshape(SIDE, SIDE)
    small = np.arange(1e4).reshape(100, 100)
    for name, array in {"native": rho, "big": rho.astype(">f8")}.items():
        (FOLDER / f"{name}.bd").unlink(missing_ok=True)
        dudley.write(FOLDER / f"{name}.bd", {"small": small, "rho": array})
        with h5py.File(FOLDER / f"{name}.h5", "w") as file:
            file["small"], file["rho"] = small, array
    rho.tofile(FOLDER / "native.raw")
    record = np.dtype([("t", "<f8"), ("e", "<f8")])
    head = b"\x8d<BD\r\n\x1a\n" + bytes(8)
    (FOLDER / "history.bd").write_bytes(head + np.zeros(RECORDS, record).tobytes())
    runs = FOLDER / "runs"
    runs.mkdir(exist_ok=True)
    import netCDF4

    for at in range(FILES):
        x = np.full((1, 40, 50), float(at))
        dudley.write(runs / f"{at:04}.bd", {"x": x}, params={"k": at}, dims={"/x": ["member", "y", "i"]}, overwrite=True)
        with netCDF4.Dataset(runs / f"{at:04}.nc", "w") as file:
            for name, length in zip(("member", "y", "i"), x.shape, strict=True):
                file.createDimension(name, length)
            file.createVariable("x", "f8", ("member", "y", "i"))[...] = x
    (FOLDER / "done").touch()


def paired(name, goal, ours, peer, pairs=15, calls=1):
    """How often ours goes into the peer's time: the median over pairs, each measured by turns."""
    if ROWS and not any(row in name for row in ROWS):
        return

    def timed(function):
        gc.collect()
        gc.disable()
        begun = time.perf_counter()
        for _ in range(calls):
            function()
        spent = time.perf_counter() - begun
        gc.enable()
        return spent / calls

    ours(), peer()
    times = [(timed(ours), timed(peer)) for _ in range(pairs)]
    ratio = statistics.median(peer / own for own, peer in times)
    own, other = (statistics.median(column) for column in zip(*times, strict=True))
    print(f"{name:44} {own * 1e3:11.4f} ms {other * 1e3:11.4f} ms  {ratio:8.2f} times as fast (wanted {goal})", flush=True)


def imported(module):
    return lambda: subprocess.run([sys.executable, "-c", f"import {module}"], check=True)


def main():
    import h5py

    made()
    native, big = dudley.open(FOLDER / "native.bd"), dudley.open(FOLDER / "big.bd")
    theirs, theirs_big = h5py.File(FOLDER / "native.h5"), h5py.File(FOLDER / "big.h5")
    rho, peer = native["rho"], theirs["rho"]
    raw = FOLDER / "native.raw"
    print(f"{'row':44} {'dudley':>14} {'peer':>14}")
    paired("import, h5py", ">= 1", imported("dudley"), imported("h5py"))
    paired("import, python alone (the rest is <= 40 ms)", "-", imported("dudley"), imported("sys"))

    def h5_open():
        with h5py.File(FOLDER / "native.h5", "r") as file:
            return file["small"][...]

    paired("open and an item of 100x100, h5py", ">= 4", lambda: dudley.open(FOLDER / "native.bd")["small"].read(), h5_open, calls=50)
    paired("f[path], h5py", ">= 10", lambda: native["rho"], lambda: theirs["rho"], calls=2000)
    paired("small slice [i, j:j+8], h5py", ">= 3", lambda: rho[4000, 100:108], lambda: peer[4000, 100:108], calls=1000)
    paired("column of 8192x8192 as a view, h5py", ">= 50", lambda: rho.view()[:, 5].copy(), lambda: peer[:, 5])
    out = np.empty((SIDE, SIDE))
    paired("512 MiB copy, h5py", ">= 1", rho.read, lambda: peer[...])
    paired("512 MiB copy, np.fromfile", ">= 0.91", rho.read, lambda: np.fromfile(raw))
    paired("512 MiB into used memory, h5py", ">= 1", lambda: rho.read(out=out), lambda: peer.read_direct(out))
    theirs_rho = theirs_big["rho"]
    paired("512 MiB big-endian, h5py", ">= 2", big["rho"].read, lambda: theirs_rho.astype("f8")[...])
    paired("512 MiB sum over a view, np.memmap", ">= 1", lambda: rho.view().sum(), lambda: np.memmap(raw).sum())
    history = dudley.open(FOLDER / "history.bd", layout=f"history [/ t = f8  e = f8]*{RECORDS}")
    column = np.memmap(FOLDER / "history.bd", [("t", "<f8"), ("e", "<f8")], offset=16)
    paired("column of 10^6 records as a view (<= 2 ms), numpy", "-", lambda: history["history"]["t"].view(), lambda: column["t"])
    many(FOLDER / "runs")


def many(runs):
    import xarray as xr

    def opened(engine, ending):
        how = dict(engine=engine, combine="nested", concat_dim="member", data_vars="minimal", coords="minimal", compat="override")
        return lambda: xr.open_mfdataset(str(runs / f"*.{ending}"), **how).close()

    catalog = runs.parent / "runs.catalog"
    if not catalog.exists():
        dudley.family(runs / "*.bd", catalog=catalog)
    name = f"open_mfdataset of {FILES} files"
    paired(f"{name}, netCDF4", ">= 4", opened("dudley", "bd"), opened("netcdf4", "nc"), pairs=3)
    paired(f"{name} by a catalog, netCDF4", ">= 50", lambda: dudley.family(catalog).to_xarray(), opened("netcdf4", "nc"), pairs=3)
    dask_mean(runs, catalog)


def dask_mean(runs, catalog):
    import xarray as xr

    def mean(dataset):
        return float(dataset.x.mean())

    how = dict(combine="nested", concat_dim="member", data_vars="minimal", coords="minimal", compat="override")
    theirs = xr.open_mfdataset(str(runs / "*.nc"), engine="netcdf4", **how)
    ours = dudley.family(catalog).to_xarray(chunks={"member": 50})
    paired("dask mean of all, netCDF4", ">= 1.5", lambda: mean(ours), lambda: mean(theirs), pairs=5)
    os.sync()


if __name__ == "__main__":
    main()
