"""How long Python's asdf takes to open, read and write files.

    asdf_peer.py FOLDER COUNT BLOCKS [CODEC]

Writes COUNT doubles, a rounded sine with noise, as `raw`, `lz4`, `zlib`, `bzp2` and `zstd`, and a file
`many` of BLOCKS arrays, or with a CODEC only that one; says `0`, then does what each line of its input says and answers with the seconds
taken.
"""

import hashlib
import sys
import time

import asdf
import numpy

folder, count, blocks, only = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4:]
CODECS = {"raw": None, "lz4": "lz4", "zlib": "zlib", "bzp2": "bzp2", "zstd": "zstd"}


def values():
    at = numpy.arange(count)
    noise = numpy.random.default_rng(1).integers(0, 8, count)
    return numpy.round(numpy.sin(at / 1000) * 1000) + noise / 8


def make():
    for name, codec in CODECS.items():
        if only and name not in only:
            continue
        with asdf.AsdfFile({"x": VALUES}) as file:
            file.write_to(f"{folder}/{name}.asdf", all_array_compression=codec)
    part = numpy.arange(1024, dtype="f4").reshape(32, 32)
    with asdf.AsdfFile({"parts": [part + at for at in range(blocks)]}) as file:
        file.write_to(f"{folder}/many.asdf")


def read(name):
    with asdf.open(f"{folder}/{name}.asdf", memmap=False) as file:
        return numpy.array(file["x"])


def element(name):
    with asdf.open(f"{folder}/{name}.asdf", memmap=False) as file:
        return file["x"][count // 2]


def verified(name):
    with asdf.open(f"{folder}/{name}.asdf", memmap=False, validate_checksums=True) as file:
        return numpy.array(file["x"])


def many():
    with asdf.open(f"{folder}/many.asdf") as file:
        return file["parts"][blocks - 1]


def write(name):
    """All as one block for `raw`, as 16 for `parts`; a quarter for a codec."""
    if name == "raw":
        tree = {"x": VALUES}
    elif name == "parts":
        tree = {f"x{at}": part.copy() for at, part in enumerate(numpy.split(VALUES, 16))}
    else:
        tree = {"x": VALUES[: count // 4].copy()}
    start = time.perf_counter()
    with asdf.AsdfFile(tree) as file:
        file.write_to(f"{folder}/out.asdf", all_array_compression=CODECS.get(name))
    return time.perf_counter() - start


def md5():
    start = time.perf_counter()
    hashlib.md5(VALUES).digest()
    return time.perf_counter() - start


VALUES = values()
make()
print(0, flush=True)
for line in sys.stdin:
    verb, name = line.split()
    if verb in ("write", "md5"):
        print(write(name) if verb == "write" else md5(), flush=True)
        continue
    start = time.perf_counter()
    found = {"read": read, "element": element, "verified": verified}[verb](name) if verb != "open" else many()
    taken = time.perf_counter() - start
    # Memory is given back before the next, outside of what is measured.
    del found
    print(taken, flush=True)
