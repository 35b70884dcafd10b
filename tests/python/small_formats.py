"""Files of small formats as their libraries write them; prints which arrays are in them, as they lie there.

With a folder as its argument: what scipy reads of the files of MATLAB 4 in and below it.
"""

import json
import pathlib
import sys

import nibabel
import nrrd
import numpy as np
import safetensors.numpy
import scipy.io
import scipy.sparse

random = np.random.default_rng(7)
pathlib.Path("expected").mkdir()
files = []


def expect(file, arrays, data=None):
    """Says what is in a file, and which one has the data if it is another one."""
    entry = {"file": str(file), "data": data or str(file), "arrays": {}}
    for path, array in arrays.items():
        name = f"expected/{sum(len(of['arrays']) for of in files) + len(entry['arrays'])}.npy"
        np.save(name, np.array(array, order="C"))
        entry["arrays"][path] = name
    files.append(entry)


def numbers(shape, dtype):
    """Numbers of all the range that a type has."""
    dtype = np.dtype(dtype)
    if dtype.kind in "iu":
        limits = np.iinfo(dtype)
        return random.integers(limits.min, limits.max, shape, dtype.newbyteorder("="), True).astype(dtype)
    if dtype.kind == "c":
        return (random.normal(size=shape) + 1j * random.normal(size=shape)).astype(dtype)
    return random.normal(size=shape).astype(dtype)


def matrices(values, codes):
    """The matrices of MATLAB as files have them: parts by themselves, texts as codes."""
    arrays = {}
    for name, value in values.items():
        if name.startswith("__"):
            continue
        if scipy.sparse.issparse(value):
            value = value.tocoo()
            arrays[f"/{name}/row"] = value.row + 1.0
            arrays[f"/{name}/column"] = value.col + 1.0
            arrays[f"/{name}/real"] = value.data.real
            if np.iscomplexobj(value.data):
                arrays[f"/{name}/imaginary"] = value.data.imag
        elif value.dtype.kind == "U":
            rows = [[ord(c) for c in row.ljust(max(map(len, value)))] for row in value]
            arrays[f"/{name}"] = np.array(rows, codes)
        elif np.iscomplexobj(value):
            arrays[f"/{name}/real"], arrays[f"/{name}/imaginary"] = value.real, value.imag
        else:
            arrays[f"/{name}"] = value
    return arrays


if len(sys.argv) > 1:
    for file in sorted(pathlib.Path(sys.argv[1]).rglob("*.mat")):
        expect(file, matrices(scipy.io.loadmat(file), "f8"))
    print(json.dumps(files))
    sys.exit()

tensors = {
    f"model.layer.{dtype}": numbers(shape, dtype)
    for dtype, shape in zip("i1 u1 i2 u2 i4 u4 i8 u8 f2 f4 f8".split(), [(3,), (2, 3), (), (1, 0, 2), (4, 3, 2)] * 3)
}
tensors["flags"] = np.array([True, False])
safetensors.numpy.save_file(tensors, "all.safetensors", {"format": "np", "stream": "native"})
expect("all.safetensors", {f'/"{name}"' if "." in name else f"/{name}": array for name, array in tensors.items()})

for number, dtype in enumerate("i1 u1 i2 u2 i4 u4 i8 u8 f4 f8 c8 c16".split()):
    for order in "<>":
        array = numbers((3, 4, 2, 1, 5)[: 1 + number % 5], np.dtype(dtype).newbyteorder(order))
        for kind in (nibabel.Nifti1Image, nibabel.Nifti2Image, nibabel.Nifti1Pair, nibabel.Nifti2Pair):
            header = kind.header_class(endianness=order)
            header.set_data_dtype(array.dtype)
            header["descrip"] = b"made by a test"
            is_alone = "Image" in kind.__name__
            if is_alone and number == 0:
                header.extensions.append(nibabel.nifti1.Nifti1Extension("comment", b"a comment"))
            image = kind(array, np.diag([2.0, 3.0, 4.0, 1.0]), header)
            name = f"{kind.__name__}-{number}-{'le' if order == '<' else 'be'}"
            image.to_filename(name + (".nii" if is_alone else ".img"))
            stored = np.asanyarray(nibabel.load(name + (".nii" if is_alone else ".img")).dataobj)
            assert np.array_equal(stored, array)
            if is_alone:
                expect(name + ".nii", {"/data": array.T})
            else:
                expect(name + ".hdr", {"/data": array.T}, name + ".img")
array = numbers((3, 4), "<i2")
nibabel.Nifti1Image(array, np.eye(4)).to_filename("scaled.nii")
stored = bytearray(pathlib.Path("scaled.nii").read_bytes())
stored[112:120] = np.array([0.5, 10], "<f4").tobytes()
pathlib.Path("scaled.nii").write_bytes(stored)
np.save("scaled.npy", nibabel.load("scaled.nii").get_fdata().T)
expect("scaled.nii", {"/data": array.T})
rgb = np.zeros((2, 3, 4), [("R", "u1"), ("G", "u1"), ("B", "u1")])
rgb["R"], rgb["G"], rgb["B"] = 1, np.arange(24).reshape(2, 3, 4), 3
nibabel.Nifti1Image(rgb, np.eye(4)).to_filename("rgb.nii")
expect("rgb.nii", {"/data": np.ascontiguousarray(rgb.T).view("u1").reshape(4, 3, 2, 3)})

for number, dtype in enumerate("i1 u1 i2 u2 i4 u4 i8 u8 f4 f8".split()):
    for encoding in ("raw", "gzip", "bzip2"):
        array = numbers((3, 4, 2, 5)[: 1 + number % 4], np.dtype(dtype).newbyteorder("<>"[number % 2]))
        extra = {"encoding": encoding, "space origin": np.array([1.5, 2, 3]), "const": "a key of a program"}
        extra["labels"] = ["left right", "b", "c", "d"][: array.ndim]
        nrrd.write(f"{number}-{encoding}.nrrd", array, extra)
        expect(f"{number}-{encoding}.nrrd", {"/data": array.T})
        nrrd.write(f"{number}-{encoding}.nhdr", array, extra, detached_header=True)
        ending = {"raw": "raw", "gzip": "raw.gz", "bzip2": "raw.bz2"}[encoding]
        expect(f"{number}-{encoding}.nhdr", {"/data": array.T}, f"{number}-{encoding}.{ending}")
array = numbers((4, 3), "<i2")
header = "NRRD0001\n# a comment\ntype: short\ndimension: 2\nsizes: 3 4\nendian: little\nencoding: raw\n"
pathlib.Path("lines.dat").write_bytes(b"one\ntwo\n12345" + array.tobytes())
pathlib.Path("lines.nhdr").write_text(header + "data file: ./lines.dat\nline skip: 2\nbyte skip: 5\n")
expect("lines.nhdr", {"/data": array}, "lines.dat")
pathlib.Path("last.nhdr").write_text(header + "datafile: lines.dat\nbyte skip: -1\n")
expect("last.nhdr", {"/data": array}, "lines.dat")
pathlib.Path("crlf.nrrd").write_bytes(header.replace("\n", "\r\n").encode() + b"\r\n" + array.tobytes())
expect("crlf.nrrd", {"/data": array})

codes = {"u1": 1, "i2": 2, "i4": 3, "f4": 4, "f8": 5, "c8": 6, "c16": 9, "u2": 12, "u4": 13, "i8": 14, "u8": 15}
for number, (dtype, code) in enumerate(codes.items()):
    for interleave in ("bsq", "bil", "bip"):
        order = number % 2
        name = f"{dtype}-{interleave}"
        bands, lines, samples = 2, 3, 4
        shape = {"bsq": (bands, lines, samples), "bil": (lines, bands, samples), "bip": (lines, samples, bands)}
        array = numbers(shape[interleave], np.dtype(dtype).newbyteorder("<>"[order]))
        pathlib.Path(f"{name}.img").write_bytes(b"head" + array.tobytes())
        pathlib.Path(f"{name}.hdr").write_text(
            f"ENVI\ndescription = {{\n a picture}}\nsamples = {samples}\nlines = {lines}\nbands = {bands}\n"
            f"header offset = 4\nfile type = ENVI Standard\ndata type = {code}\ninterleave = {interleave}\n"
            f"byte order = {order}\nwavelength = {{\n 0.5,\n 0.75}}\nband names = {{red, infra red}}\n; a comment\n"
        )
        expect(f"{name}.hdr", {"/data": array}, f"{name}.img")

values = {
    "real": numbers((3, 2), "f8"),
    "row": numbers((1, 5), "f8"),
    "complex": numbers((2, 3), "c16"),
    "small": numbers((2, 2), "i2"),
    "bytes": numbers((3, 1), "u1"),
    "ints": numbers((2, 3), "i4"),
    "floats": numbers((2, 3), "f4"),
    "text": np.array(["one", "second"]),
    "sparse": scipy.sparse.coo_array(([1.5, -2.0, 4.0], ([0, 2, 1], [1, 0, 3])), (3, 5)),
    "sparse_complex": scipy.sparse.coo_array(([1.5 + 1j, -2.0], ([0, 2], [1, 0])), (3, 5)),
}
scipy.io.savemat("all.mat", values, format="4")
loaded = scipy.io.loadmat("all.mat")
assert np.array_equal(loaded["real"], values["real"])
expect("all.mat", matrices(loaded, "u1"))

print(json.dumps(files))
