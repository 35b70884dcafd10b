"""Writes the frames that reading is measured with, or measures how python-blosc2 reads one."""

import json
import sys
import time

import blosc2
import numpy

CHUNK = 4 << 20


def make(megabytes):
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
    cube = rng.normal(size=(128, 512, 128)).round(2)
    for codec in ["LZ4", "ZSTD"]:
        blosc2.asarray(cube, chunks=(16, 512, 128), blocks=(1, 256, 128), urlpath=f"cube {codec}",
                       cparams={"codec": getattr(blosc2.Codec, codec)}, mode="w")


def write(name, values, codec, filters):
    cparams = {"codec": getattr(blosc2.Codec, codec), "clevel": 5, "typesize": values.itemsize,
               "filters": [getattr(blosc2.Filter, filters)], "filters_meta": [0], "nthreads": 2}
    blosc2.remove_urlpath(name)
    blosc2.SChunk(CHUNK, values.tobytes(), contiguous=True, urlpath=name, cparams=cparams)


def measure(read, seconds):
    read()
    rounds, cpu, wall, best = 0, time.process_time(), time.perf_counter(), 1e9
    while time.perf_counter() - wall < seconds or rounds < 3:
        start = time.perf_counter()
        read()
        best = min(best, time.perf_counter() - start)
        rounds += 1
    return {"cpu": (time.process_time() - cpu) / rounds, "best": best}


def chunks(name, threads):
    frame = blosc2.open(name, mode="r", dparams={"nthreads": threads}, mmap_mode="r")
    frame = getattr(frame, "schunk", frame)
    buffer = numpy.zeros(frame.nbytes, "u1")
    parts = [buffer[at : at + CHUNK] for at in range(0, frame.nbytes, CHUNK)]

    def read():
        for number, part in enumerate(parts):
            frame.decompress_chunk(number, dst=part)

    return read


PICKS = {
    "item": (5, 100, 100), "cube": numpy.s_[20:30, 200:210, 50:60], "plane i": numpy.s_[64],
    "plane j": numpy.s_[:, 200], "plane k": numpy.s_[:, :, 50], "all": numpy.s_[:],
}


def compressed(name, threads):
    frame = blosc2.open(name, mode="r")
    raw = b"".join(frame.decompress_chunk(number) for number in range(frame.nchunks))
    parts = [raw[at : at + CHUNK] for at in range(0, len(raw), CHUNK)]
    codec, filters = name.split(" ")[-2:]
    cparams = {"codec": getattr(blosc2.Codec, codec), "clevel": 5, "typesize": frame.typesize,
               "filters": [getattr(blosc2.Filter, filters)], "filters_meta": [0],
               "nthreads": threads}

    def compress():
        return sum(len(blosc2.compress2(part, **cparams)) for part in parts)

    return compress


def part(name, pick, threads):
    array = blosc2.open(name, mode="r", dparams={"nthreads": threads}, mmap_mode="r")
    return lambda: array[PICKS[pick]]


match sys.argv[1:]:
    case ["make", megabytes]:
        make(int(megabytes))
    case ["read", name, threads]:
        print(json.dumps(measure(chunks(name, int(threads)), 0.3)))
    case ["compress", name, threads]:
        compress = compressed(name, int(threads))
        print(json.dumps(measure(compress, 0.3) | {"size": compress()}))
    case ["part", name, pick, threads]:
        print(json.dumps(measure(part(name, pick, int(threads)), 0.3)))
