"""Writes frames and arrays by python-blosc2, one behind the other in a file, and says as JSON where each
is, and where the bytes are that it decodes to."""

import itertools
import json
import random
from dataclasses import asdict

import blosc2
import numpy

CODECS = ["BLOSCLZ", "LZ4", "LZ4HC", "ZLIB", "ZSTD"]
FILTERS = {
    "none": ([], []),
    "shuffle": (["SHUFFLE"], [0]),
    "shuffle 3": (["SHUFFLE"], [3]),
    "bitshuffle": (["BITSHUFFLE"], [0]),
    "delta": (["DELTA"], [0]),
    "delta, shuffle": (["DELTA", "SHUFFLE"], [0, 0]),
    "delta, bitshuffle": (["DELTA", "BITSHUFFLE"], [0, 0]),
    "shuffle, delta": (["SHUFFLE", "DELTA"], [0, 0]),
    "bitshuffle, delta": (["BITSHUFFLE", "DELTA"], [0, 0]),
    "truncation, shuffle": (["TRUNC_PREC", "SHUFFLE"], [10, 0]),
    "shuffle, bytedelta": (["SHUFFLE", "BYTEDELTA"], [0, None]),
    "four": (["DELTA", "SHUFFLE", "BYTEDELTA", "BITSHUFFLE"], [0, 0, None, 0]),
}
SPLITS = ["ALWAYS_SPLIT", "NEVER_SPLIT", "AUTO_SPLIT", "FORWARD_COMPAT_SPLIT"]
TYPESIZES = [1, 2, 3, 4, 7, 8, 12, 16, 24, 255, 300]

rng = numpy.random.default_rng(7)
choose = random.Random(7)
frames, raws = open("frames.bin", "wb"), open("raws.bin", "wb")
listed = []


def add(name, frame, raw, **more):
    frames.write(b"\0" * choose.randrange(40))
    listed.append(
        {"name": name, "frame": frames.tell(), "raw": raws.tell(), "bytes": len(raw)} | more
    )
    frames.write(frame)
    raws.write(raw)


def contents(kind, nbytes):
    if kind == "ramp":
        return numpy.arange(nbytes // 4 + 1, dtype="<i4").tobytes()[:nbytes]
    if kind == "walk":
        return numpy.cumsum(rng.integers(-3, 4, nbytes // 4 + 1)).astype("<i4").tobytes()[:nbytes]
    if kind == "sparse":
        values = rng.integers(0, 256, nbytes).astype("u1") * (rng.random(nbytes) < 0.02)
        return values.astype("u1").tobytes()
    if kind == "mixed":
        half = nbytes // 2
        return bytes([7]) * half + rng.integers(0, 256, nbytes - half).astype("u1").tobytes()
    return rng.integers(0, 256, nbytes).astype("u1").tobytes()


def parameters(codec, filters, typesize, level, split, blocksize, **more):
    names, metas = FILTERS[filters]
    metas = [min(typesize, 127) if meta is None else meta for meta in metas]
    return {
        "codec": getattr(blosc2.Codec, codec),
        "filters": [getattr(blosc2.Filter, name) for name in names],
        "filters_meta": metas,
        "typesize": typesize,
        "clevel": level,
        "splitmode": getattr(blosc2.SplitMode, split),
        "blocksize": blocksize,
        "nthreads": choose.choice([1, 2]),
    } | more


def schunk(name, data, chunksize, cparams):
    """In memory or by way of a file. Some filters lose data when encoding, four of them at once too."""
    path = choose.choice([None, "one.b2frame"])
    blosc2.remove_urlpath("one.b2frame")
    storage = {"contiguous": choose.choice([True, path is not None]), "urlpath": path}
    # With more threads the C library decodes delta behind another filter otherwise now and then.
    storage["dparams"] = {"nthreads": 1}
    chunk = blosc2.SChunk(chunksize=chunksize, data=data, cparams=cparams, **storage)
    try:
        raw = b"".join(chunk.decompress_chunk(i) for i in range(chunk.nchunks))
    except RuntimeError:
        # Split blocks that are no multiple of their elements: bytes were lost, and it says so.
        return
    add(name, open(path, "rb").read() if path else chunk.to_cframe(), raw)


for codec, filters in itertools.product(CODECS, FILTERS):
    for _ in range(14):
        typesize = choose.choice(TYPESIZES)
        if filters.startswith("truncation"):
            typesize = choose.choice([4, 8])
        kind = choose.choice(["ramp", "walk", "sparse", "mixed", "random"])
        chunksize = choose.choice([1, 64, 1000, 4096]) * typesize
        nbytes = choose.choice([1, 31, 33, 1000, 5000, 30000])
        nbytes = max(1, nbytes // typesize) * typesize
        if filters in ("none", "shuffle", "bitshuffle") and choose.random() < 0.3:
            nbytes += choose.randrange(typesize)
        if nbytes // chunksize > 3000:
            chunksize = nbytes
        blocksize = choose.choice([0, 0, 8 * typesize, 136 * typesize, 1000 * typesize])
        level, split = choose.choice([0, 1, 5, 9]), choose.choice(SPLITS)
        name = f"{codec}, {filters}, {typesize}, {kind}, {level}, {split}, {nbytes}, {blocksize}"
        made = parameters(codec, filters, typesize, level, split, blocksize)
        schunk(name, contents(kind, nbytes), chunksize, made)

for codec in ["LZ4", "LZ4HC", "ZSTD"]:
    for typesize, filters in itertools.product([1, 8], ["none", "shuffle"]):
        words = [b"%d metres at %d degrees; " % (i * 7 % 1000, i * 31 % 360) for i in range(9000)]
        made = parameters(codec, filters, typesize, 5, "AUTO_SPLIT", 4096, use_dict=True)
        schunk(f"dictionary, {codec}, {typesize}, {filters}", b"".join(words)[:160000], 80000, made)

# Special values, and chunks that were changed afterwards.
for value in [b"\0" * 8, numpy.float64("nan").tobytes(), numpy.float64(1.5).tobytes()]:
    data = value * 4000
    made = parameters("ZSTD", "shuffle", 8, 5, "AUTO_SPLIT", 0)
    schunk(f"all {value}", data, 8000, made)
    blosc2.remove_urlpath("one.b2frame")
    chunk = blosc2.SChunk(8000, data, contiguous=True, urlpath="one.b2frame", cparams=made)
    chunk.update_data(1, contents("walk", 8000), copy=True)
    chunk.insert_data(2, contents("random", 8000), copy=True)
    chunk.delete_chunk(0)
    chunk.append_data(contents("ramp", 2400))
    raw = b"".join(chunk.decompress_chunk(i) for i in range(chunk.nchunks))
    add(f"changed {value}", open("one.b2frame", "rb").read(), raw)

# Of which all was taken away.
blosc2.remove_urlpath("one.b2frame")
chunk = blosc2.SChunk(8000, contents("walk", 20000), contiguous=True, urlpath="one.b2frame")
for _ in range(3):
    chunk.delete_chunk(0)
add("nothing left", open("one.b2frame", "rb").read(), b"")
add("nothing left, in memory", chunk.to_cframe(), b"")

# Chunks of any sizes, and of blocks of any sizes.
def pieces(count, unit=1):
    return [contents(choose.choice(["ramp", "walk", "random"]), unit * choose.choice([1, 7, 40, 900]))
            for _ in range(count)]


def filled(name, made, write):
    blosc2.remove_urlpath("one.b2frame")
    path = choose.choice([None, "one.b2frame"])
    storage = {"contiguous": choose.choice([True, path is not None]), "urlpath": path}
    frame = blosc2.SChunk(chunksize=-1, cparams=made, **storage)
    raw = write(frame)
    add(name, open(path, "rb").read() if path else frame.to_cframe(), raw)


def of_chunks(frame):
    parts = pieces(6)
    for part in parts:
        frame.append_data(part)
    later = contents("walk", 333)
    frame.insert_data(2, later, copy=True)
    frame.update_data(4, parts[0], copy=True)
    frame.delete_chunk(0)
    return b"".join([parts[1], later, parts[2], parts[0], *parts[4:]])


def of_blocks(frame):
    all = []
    for _ in range(3):
        # With delta the C library loses the bytes behind the last element.
        blocks = pieces(5, 4)
        frame.append_chunk(blosc2.blosc2_ext.vlcompress(blocks, **asdict(frame.cparams)))
        all += blocks
    return b"".join(all)


for codec, filters in itertools.product(CODECS, ["none", "shuffle", "bitshuffle", "delta"]):
    # At level 0 the C library ends with a segmentation fault where blocks differ in size.
    for level in [1, 5]:
        made = parameters(codec, filters, 4, level, "AUTO_SPLIT", 0)
        del made["blocksize"]
        # Parts of chunks with delta are what the C library has wrong when it updates.
        if filters != "delta":
            filled(f"chunks of any size, {codec}, {filters}, {level}", made, of_chunks)
        filled(f"blocks of any size, {codec}, {filters}, {level}", made, of_blocks)
for codec in ["LZ4", "ZSTD"]:
    words = [b"%d metres at %d degrees; " % (i * 7 % 1000, i * 31 % 360) for i in range(3000)]
    made = parameters(codec, "none", 1, 5, "AUTO_SPLIT", 0, use_dict=True)
    del made["blocksize"]
    stored = blosc2.blosc2_ext.vlcompress(words, **made)
    filled(f"blocks of any size with a dictionary, {codec}", made,
           lambda frame: frame.append_chunk(stored) and b"".join(words))
batches = blosc2.BatchArray(items_per_block=3)
batches.extend([list(range(40)), ["text", {"a": 1}], [b"bytes"] * 20])
add("batches", batches.to_cframe(), b"".join(
    batches.schunk.decompress_chunk(i) for i in range(batches.schunk.nchunks)))

# As much as is read by several threads, and past the caches.
for filters in ["shuffle", "bitshuffle"]:
    made = parameters("LZ4", filters, 4, 5, "AUTO_SPLIT", 0)
    schunk(f"large, {filters}", contents("ramp", 17 << 20), 1 << 20, made)

# Arrays.
SHAPES = [
    ((), (), ()),
    ((1000,), (300,), (70,)),
    ((50, 40), (20, 15), (7, 4)),
    ((20, 50), (8, 30), (8, 30)),
    ((7, 9, 11), (4, 5, 6), (2, 3, 4)),
    ((64, 3, 5), (64, 3, 5), (16, 1, 5)),
    ((4, 5, 6, 7), (2, 5, 3, 4), (2, 2, 3, 3)),
    ((1, 1, 30), (1, 1, 30), (1, 1, 4)),
    ((3, 0, 2), (3, 0, 2), (3, 0, 2)),
]
DTYPES = [
    "b1", "i1", "u1", "<i2", ">i2", "<u4", ">u8", "<f2", ">f4", "<f8", "<c8", ">c16", "S7", "<U3",
    ">U2", "V5", "<M8[ns]", "<m8[s]", [("a", "<i4"), ("b", ">f8")],
    [("a", "u1"), ("xs", "<f4", (2, 3)), ("in", [("t", "S3"), ("u", ">u2")])],
]
LARGE = [
    ((90, 80, 70), (33, 80, 40), (8, 20, 40)),
    ((90, 80, 70), (90, 20, 70), (90, 7, 33)),
    ((3, 50, 4000), (3, 50, 400), (3, 50, 100)),
]
SLICES = [
    (), (slice(None, None, 2),), (slice(None, None, -1),), (-1,), (slice(1, 4),),
    (Ellipsis, 0), (Ellipsis, slice(1, None, 3)), (Ellipsis, slice(-2, 0, -1)),
    (slice(3, 40, 5), Ellipsis), (0, Ellipsis, slice(2, 9)), (slice(0, 0),),
]


def spelled(index):
    if index is Ellipsis:
        return "..."
    if isinstance(index, slice):
        parts = ["" if part is None else str(part) for part in (index.start, index.stop)]
        return ":".join(parts + ([] if index.step is None else [str(index.step)]))
    return str(index)


def array(name, values, chunks, blocks, made):
    blosc2.remove_urlpath("one.b2nd")
    stored = blosc2.asarray(
        values, chunks=chunks, blocks=blocks, cparams=made, urlpath="one.b2nd", mode="w"
    )
    stored.schunk.vlmeta["note"] = {"name": name, "n": 3}
    picks = []
    for pick in SLICES:
        try:
            # With an ellipsis numpy gives arrays, not numbers of its own byte order.
            part = values[pick if Ellipsis in pick else (*pick, Ellipsis)]
        except IndexError:
            continue
        picks.append({"slice": ", ".join(map(spelled, pick)), "shape": list(part.shape),
                      "raw": raws.tell(), "bytes": part.nbytes})
        raws.write(part.tobytes())
    frame = open("one.b2nd", "rb").read()
    add(name, frame, values.tobytes(), shape=list(values.shape), dtype=values.dtype.str,
        chunks=list(chunks), blocks=list(blocks), slices=picks)


for number, (shape, chunks, blocks) in enumerate(SHAPES):
    for dtype in DTYPES:
        dtype = numpy.dtype(dtype)
        count = int(numpy.prod(shape))
        values = numpy.frombuffer(contents("walk", count * dtype.itemsize), "u1")
        if dtype.kind == "U":
            values = rng.integers(97, 123, count * dtype.itemsize // 4).astype(dtype.byteorder + "u4")
        values = numpy.frombuffer(values.tobytes(), dtype, count).reshape(shape)
        codec, filters = choose.choice(CODECS), choose.choice(list(FILTERS)[:7])
        made = parameters(codec, filters, dtype.itemsize, 5, choose.choice(SPLITS), 0)
        del made["typesize"], made["blocksize"]
        array(f"array {shape} of {dtype}, {codec}, {filters}", values, chunks, blocks, made)

for shape, chunks, blocks in LARGE:
    values = numpy.cumsum(rng.integers(-3, 4, numpy.prod(shape))).astype("<i4").reshape(shape)
    for filters in ["shuffle", "delta"]:
        made = parameters("ZSTD", filters, 4, 1, "AUTO_SPLIT", 0)
        del made["typesize"], made["blocksize"]
        array(f"large array {shape} in {chunks} and {blocks}", values, chunks, blocks, made)

for filters, metas in [(["NDCELL"], [4]), (["NDCELL", "SHUFFLE"], [3, 0])]:
    for shape, chunks, blocks in SHAPES[1:8]:
        values = numpy.arange(numpy.prod(shape), dtype="<f4").reshape(shape)
        made = {"codec": blosc2.Codec.ZSTD, "filters": [getattr(blosc2.Filter, f) for f in filters],
                "filters_meta": metas}
        # Blocks that are smaller than a cell in some dimension are refused.
        if min(blocks) >= 3:
            array(f"cells of {metas[0]} in {shape}", values, chunks, blocks, made)

for name, made in [
    ("zeros", blosc2.zeros((50, 40), dtype="f8", chunks=(20, 15), blocks=(7, 4))),
    ("full", blosc2.full((50, 40), 2.5, dtype="f4", chunks=(20, 15), blocks=(7, 4))),
    ("nan", blosc2.nans((50, 40), dtype="f8", chunks=(20, 15), blocks=(7, 4))),
]:
    values = made[:]
    add(name, made.to_cframe(), values.tobytes(), shape=[50, 40], dtype=values.dtype.str,
        chunks=[20, 15], blocks=[7, 4], slices=[])
    made[10:25, 5:30] = 1
    values = made[:]
    add(f"{name}, changed", made.to_cframe(), values.tobytes(), shape=[50, 40],
        dtype=values.dtype.str, chunks=[20, 15], blocks=[7, 4], slices=[])

print(json.dumps(listed))
