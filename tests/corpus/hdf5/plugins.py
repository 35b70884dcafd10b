"""Writes `plugins.h5` with h5py and hdf5plugin: arrays whose elements are `at * 7 % 251`: `python plugins.py`."""

import h5py
import hdf5plugin as plugin
import numpy as np

with h5py.File("plugins.h5", "w", libver="latest") as f:
    for name, dtype, shape, chunks, how in [
        ("bits", "<i4", (1000,), (300,), plugin.Bitshuffle(cname="none")),
        ("bits_lz4", "<u2", (70, 70), (60, 33), plugin.Bitshuffle(cname="lz4")),
        ("bits_zstd", ">f8", (3000,), (2999,), plugin.Bitshuffle(cname="zstd")),
        ("bits_few", "<f4", (13,), (13,), plugin.Bitshuffle(nelems=8, cname="lz4")),
        ("bits_block", "u1", (1003,), (501,), plugin.Bitshuffle(nelems=64, cname="none")),
        ("blosc2", "<i4", (1000,), (300,), plugin.Blosc2(cname="zstd", filters=plugin.Blosc2.SHUFFLE)),
        ("blosc2_grid", "<i2", (40, 50), (20, 30), plugin.Blosc2(cname="lz4")),
    ]:
        data = (np.arange(np.prod(shape)) * 7 % 251).astype(dtype).reshape(shape)
        f.create_dataset(name, data=data, chunks=chunks, **how)
