"""Opens frames and arrays that another program wrote, compares them with what they are to hold, changes
some of them, and says as JSON what is wrong and what was changed."""

import ast
import itertools
import json
import pathlib
import random
from dataclasses import asdict

import blosc2
import numpy

choose = random.Random(5)
wrong, changed = [], []


def whole(schunk):
    return b"".join(schunk.decompress_chunk(i) for i in range(schunk.nchunks))


def frame(entry, raw):
    file, typesize = entry["file"], entry["typesize"]
    schunk = blosc2.open(file, mode="a")
    if whole(schunk) != raw:
        return "it differs"
    if entry["name"].startswith("Encoding"):
        if schunk.vlmeta["note"] != "hi" or schunk.meta["unit"] != "K":
            return "its metalayers differ"
    start, stop = len(raw) // typesize // 3, len(raw) // typesize // 2
    # Parts of chunks with delta or with a dictionary are what the C library has wrong.
    right = "[Delta" not in entry["name"] and not entry["name"].startswith("dictionary")
    if right and start < stop and typesize < 256:
        if schunk[start:stop] != raw[start * typesize : stop * typesize]:
            return "a slice differs"
    if not entry["change"] or typesize > 255:
        return None
    size = entry["chunksize"]
    raw = bytearray(raw)
    first = bytes(choose.randrange(256) for _ in range(min(size, len(raw))))
    schunk.update_data(0, first, copy=True)
    raw[: len(first)] = first
    if len(raw) % size == 0:
        more = numpy.arange(size, dtype="u1").tobytes()
        schunk.append_data(more)
        raw += more
    schunk.vlmeta["later"] = 7
    return finish(file, bytes(raw))


def variable(entry, raw):
    """Chunks of any sizes, of which the blocks have any size or not."""
    # With more threads the C library has blocks of any size with delta wrong.
    schunk = blosc2.open(entry["file"], mode="a", dparams={"nthreads": 1})
    ext = blosc2.blosc2_ext
    at = 0
    for number, sizes in enumerate(entry["sizes"]):
        part = raw[at : at + sum(sizes)]
        at += sum(sizes)
        if schunk.decompress_chunk(number) != part and not delta(entry, sizes):
            return f"chunk {number} differs"
        if not entry["blocks"]:
            continue
        blocks = ext.vldecompress(schunk.get_chunk(number), nthreads=1)
        ends = list(itertools.accumulate(sizes))
        wanted = [part[end - size : end] for end, size in zip(ends, sizes)]
        if blocks != wanted:
            return f"the blocks of chunk {number} differ"
        last = len(sizes) - 1
        if schunk.get_vlblock(number, last) != wanted[last]:
            return f"the last block of chunk {number} differs"
    if schunk.nchunks != len(entry["sizes"]):
        return "its chunks are more or less"
    if schunk.vlmeta["note"] != "hi":
        return "its metalayer differs"
    if not entry["change"]:
        return None
    first = sum(entry["sizes"][0]) if entry["sizes"] else 0
    more = [b"some", b"more bytes" * 30]
    if entry["blocks"]:
        made = asdict(schunk.cparams) | {"clevel": 5}
        schunk.append_chunk(ext.vlcompress(more, **made))
        schunk.update_chunk(0, ext.vlcompress(more[:1], **made))
    else:
        schunk.append_data(b"".join(more))
        schunk.update_data(0, more[0], copy=True)
    raw = more[0] + raw[first:] + b"".join(more) if first else more[0]
    schunk.vlmeta["later"] = 7
    return finish(entry["file"], raw)


def delta(entry, sizes):
    """What the C library decodes as if later blocks referred to the first one."""
    return entry["blocks"] and len(sizes) > 1 and "[Delta" in entry["name"]


def array(entry, raw):
    file, dtype = entry["file"], entry["dtype"]
    dtype = numpy.dtype(ast.literal_eval(dtype) if dtype.startswith("[") else dtype)
    values = numpy.frombuffer(raw, dtype).reshape(entry["shape"])
    stored = blosc2.open(file, mode="a")
    if stored.shape != values.shape or stored.dtype != dtype:
        return f"it is {stored.shape} of {stored.dtype}"
    if stored[...].tobytes() != raw:
        return "it differs"
    if stored.schunk.vlmeta["note"] != "hi":
        return "its metalayer differs"
    picks = [tuple(slice(n // 3, n // 2 + 1) for n in values.shape)] if values.ndim else []
    if "[Delta" not in entry["name"]:
        for pick in picks:
            if stored[pick].tobytes() != values[pick].tobytes():
                return f"{pick} differs"
    if not entry["change"] or not values.ndim:
        return None
    values = values.copy()
    part = values[picks[0]][::-1].copy()
    stored[picks[0]] = part
    values[picks[0]] = part
    longer = (values.shape[0] + 5, *values.shape[1:])
    stored.resize(longer)
    more = numpy.resize(values, (5, *values.shape[1:]))
    stored[values.shape[0] :] = more
    stored.schunk.vlmeta["later"] = 7
    return finish(file, numpy.concatenate([values, more]).astype(dtype).tobytes())


def finish(file, raw):
    pathlib.Path(file + ".changed").write_bytes(raw)
    changed.append(file)


for entry in json.loads(pathlib.Path("listed.json").read_text()):
    raw = pathlib.Path(entry["file"] + ".raw").read_bytes()
    try:
        check = array if "shape" in entry else variable if "sizes" in entry else frame
        found = check(entry, raw)
    except Exception as error:
        found = f"{type(error).__name__}: {error}"
    if found:
        wrong.append(f"{entry['file']} {found}: {entry['name']}")

print(json.dumps({"wrong": wrong, "changed": changed}))
