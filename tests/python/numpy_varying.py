"""Compares columns of a list whose items differ in size with its items one by one, and says how columns are read."""

import struct
import sys

import numpy as np

sys.path.insert(0, ".")

import varying  # noqa: E402


def record(at, size):
    bytes_of_v = bytes(range(size))
    row = struct.pack("<hB", at, 7 * at)
    fixed = struct.pack("<dff3s?Bff", at / 2, at, -at, b"abc"[: at % 4], at % 2, at + 100, at, 1)
    return struct.pack("<i", size) + bytes_of_v + fixed + row + struct.pack("<B", at % 2) + bytes(at % 2)


DATA = struct.pack("<i", 9) + b"".join(record(at, at * at % 5) for at in range(9))
NAMES = ("n", ":n", "t", "x", "text", "flag", "deep/k", "z", "c", "v", "m", "w", "none", "deep", "no")


def outcome(make):
    """A value, or the error."""
    try:
        value = make()
    except (varying.StreamError, KeyError) as error:
        return f"{type(error).__name__}: {error}"
    return (value.dtype, value.tolist()) if isinstance(value, np.ndarray) else value


def check(stream):
    for name in NAMES:
        for some in (slice(None), slice(None, None, -1), slice(1, 8, 3), slice(4, 5), slice(5, 2)):
            column = stream.l.column(name, some)
            gathered = outcome(lambda: column.value)
            # One by one, as if nothing had been remembered.
            piece = stream.l._pieces[0][2]
            survey, piece.survey = piece.survey, None
            assert outcome(lambda: column.value) == gathered, (name, some)
            piece.survey = survey


stream = varying.open(DATA, raw=True)
check(stream)
for name in NAMES:
    column = stream.l.column(name)
    try:
        parts = [type(part).__name__ for part in column.parts(column.numbers)]
        print(name, *parts, np.shape(column.value))
    except (varying.StreamError, KeyError) as error:
        print(name, error)
for length in range(4, len(DATA)):
    check(varying.open(DATA[:length], raw=True))
