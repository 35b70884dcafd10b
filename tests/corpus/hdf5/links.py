"""Writes links.h5: virtual arrays whose sources are behind links to other files."""

import h5py

with h5py.File("virtual_a.h5") as source:
    data = source["data"][...]
with h5py.File("links.h5", "w", libver="latest") as file:
    file["g/link"] = h5py.ExternalLink("virtual_a.h5", "/data")
    file["g/top"] = h5py.ExternalLink("virtual_a.h5", "/")
    file["g/nowhere"] = h5py.ExternalLink("virtual_none.h5", "/data")
    file["g/nothing"] = h5py.ExternalLink("virtual_a.h5", "/none")
    file["g/round"] = h5py.ExternalLink("links.h5", "/g/round")
    for name, path in {"through": "/g/link", "below": "/g/top/data", "round": "/g/round", "nowhere": "/g/nowhere", "nothing": "/g/nothing"}.items():
        layout = h5py.VirtualLayout(data.shape, data.dtype)
        layout[...] = h5py.VirtualSource(".", path, data.shape)
        file.create_virtual_dataset(name, layout)
with h5py.File("links.h5") as file:
    assert (file["through"][...] == data).all() and (file["below"][...] == data).all()
