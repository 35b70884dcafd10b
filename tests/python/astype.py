"""Brings an array to the byte order of the machine whenever it is asked; prints the seconds taken."""

import sys
import time

import numpy

size = int(sys.argv[1])
content = (numpy.arange(size, dtype="u8") * 7).astype("u1")
source = content.view("f8")
# Some patterns are no numbers; that is not what is measured.
numpy.seterr(all="ignore")
for line in sys.stdin:
    word = line.strip()
    seconds = 0.0
    if word == "go":
        start = time.perf_counter()
        # A copy even where nothing is to be swapped.
        result = source.astype(source.dtype.newbyteorder("="), copy=True)
        seconds = time.perf_counter() - start
        del result
    else:
        source = content.view(word)
    print(seconds, flush=True)
