"""How long python-blosc2 takes to read and compress frames.

    blosc2_bench.py FOLDER MEBIBYTES

Writes frames of so many MiB each and two arrays of four times as many; says `0`, then does what each line of
its input says and answers with the seconds taken, or a number of bytes. With one thread these are seconds of
the processor.
"""

import os
import sys
import time

import blosc2
import numpy

CHUNK = 4 << 20
# Bytes of a frame that are compressed.
PART = 4 * CHUNK
# What is done again until it has taken so long, in seconds.
LEAST = 0.04

os.chdir(sys.argv[1])
megabytes = int(sys.argv[2])


def make():
    count = megabytes << 17
    rng = numpy.random.default_rng(3)
    sensor = numpy.round(20 + numpy.cumsum(rng.normal(0, 0.05, count)) % 30, 2)
    walk = numpy.cumsum(rng.integers(-5, 6, 2 * count)).astype("<i4")
    noise = rng.integers(0, 256, 8 * count).astype("u1")
    data = {"sensor": sensor, "linspace": numpy.linspace(0, 1000, count), "walk": walk}
    for name, values in data.items():
        for codec in ["BLOSCLZ", "LZ4", "ZSTD", "ZLIB"]:
            for filters in ["SHUFFLE", "BITSHUFFLE"]:
                write(f"{name} {codec} {filters}", values, codec, filters)
    write("random LZ4 SHUFFLE", noise, "LZ4", "SHUFFLE")
    cube = rng.normal(size=(8 * megabytes, 512, 128)).round(2)
    for codec in ["LZ4", "ZSTD"]:
        blosc2.asarray(cube, chunks=(16, 512, 128), blocks=(1, 256, 128), urlpath=f"cube {codec}",
                       cparams={"codec": getattr(blosc2.Codec, codec), "nthreads": 2}, mode="w")


def write(name, values, codec, filters):
    cparams = {"codec": getattr(blosc2.Codec, codec), "clevel": 5, "typesize": values.itemsize,
               "filters": [getattr(blosc2.Filter, filters)], "filters_meta": [0], "nthreads": 2}
    blosc2.remove_urlpath(name)
    blosc2.SChunk(CHUNK, values.tobytes(), contiguous=True, urlpath=name, cparams=cparams)


def measure(work, threads):
    clock = time.process_time if threads == 1 else time.perf_counter
    # Not counted, as it is somebody else's turn before.
    work()
    rounds, start, began = 0, clock(), time.perf_counter()
    while rounds == 0 or time.perf_counter() - began < LEAST:
        work()
        rounds += 1
    return (clock() - start) / rounds


def opened(name, threads):
    frame = blosc2.open(name, mode="r", dparams={"nthreads": threads}, mmap_mode="r")
    return getattr(frame, "schunk", frame)


def reader(name, threads):
    frame = opened(name, threads)
    buffer = numpy.zeros(frame.nbytes, "u1")
    parts = [buffer[at : at + CHUNK] for at in range(0, frame.nbytes, CHUNK)]

    def read():
        for number, part in enumerate(parts):
            frame.decompress_chunk(number, dst=part)

    return read


def compressor(name, threads):
    frame = opened(name, 2)
    parts = [frame.decompress_chunk(number) for number in range(PART // CHUNK)]
    codec, filters = name.split(" ")[-2:]
    cparams = {"codec": getattr(blosc2.Codec, codec), "clevel": 5, "typesize": frame.typesize,
               "filters": [getattr(blosc2.Filter, filters)], "filters_meta": [0],
               "nthreads": threads}

    def compress():
        return sum(len(blosc2.compress2(part, **cparams)) for part in parts)

    return compress


PICKS = {
    "item": (5, 100, 100), "cube": numpy.s_[20:30, 200:210, 50:60], "plane i": numpy.s_[64],
    "plane j": numpy.s_[:, 200], "plane k": numpy.s_[:, :, 50], "all": numpy.s_[:],
}


def slicer(name, pick, how):
    array = blosc2.open(name, mode="r", dparams={"nthreads": 2}, mmap_mode=how)
    return lambda: array[PICKS[pick]]


make()
print(0, flush=True)
asked, work = None, None
for line in sys.stdin:
    what, threads, *words = line.strip().split("|")
    if asked != line:
        # What is asked for again is ready.
        asked, work = line, None
        match what:
            case "read":
                work = reader(*words, int(threads))
            case "compress" | "size":
                work = compressor(*words, int(threads))
            case "file":
                work = slicer(*words, None)
            case "map":
                work = slicer(*words, "r")
        work()
    print(work() if what == "size" else measure(work, int(threads)), flush=True)
