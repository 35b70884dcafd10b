"""Does something with an array whenever it is asked; prints the seconds taken."""

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
    elif word == "numbers":
        source = numpy.arange(size // 8, dtype="f8")
        other = source + 1e-9
    elif word == "stat":
        start = time.perf_counter()
        source.min(), source.max(), source.mean(), source.std()
        numpy.isnan(source).sum(), numpy.isinf(source).sum(), (source == 0).sum()
        seconds = time.perf_counter() - start
    elif word == "close":
        start = time.perf_counter()
        numpy.allclose(source, other, rtol=1e-6, atol=1e-8)
        seconds = time.perf_counter() - start
    else:
        source = content.view(word)
    print(seconds, flush=True)
