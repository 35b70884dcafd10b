"""Virtual datasets of VirtualiZarr, which read arrays in place."""

import numpy as np
import pytest

import dudley


def test_a_parser_of_virtualizarr(tmp_path):
    virtualizarr = pytest.importorskip("virtualizarr")
    from obspec_utils.registry import ObjectStoreRegistry
    from obstore.store import LocalStore

    from dudley.virtualizarr import DudleyParser

    rho = np.arange(12.0).reshape(3, 4)
    path = tmp_path / "a run.bd"
    dudley.write(path, {"rho": rho, "t": np.arange(3), "mesh": {"x": np.arange(4.0)}}, dims={"/rho": ("t", "x")}, units={"/rho": "g/cc"})
    registry = ObjectStoreRegistry({"file://": LocalStore()})
    for url in (path.as_uri(), f"file://{path}"):
        with virtualizarr.open_virtual_dataset(url, registry, parser=DudleyParser()) as virtual:
            assert virtual["rho"].sizes == {"t": 3, "x": 4} and virtual["rho"].units == "g/cc"
            manifest = virtual["rho"].data.manifest.dict()
            (chunk,) = manifest.values()
            assert chunk["offset"] == dudley.open(path)["rho"].address and chunk["length"] == rho.nbytes
    store = DudleyParser(group="mesh")(path.as_uri(), registry)
    xarray = pytest.importorskip("xarray")
    mesh = xarray.open_dataset(store, engine="zarr", consolidated=False, zarr_format=3)
    np.testing.assert_array_equal(mesh["x"], np.arange(4.0))
