#: Why nobody knows how many there are.
NO_BYTES = "it takes what the stream has left, and what it counts takes no bytes"


def rows_until_end(at, begin, nbytes):
    """How many elements of so many bytes lie from a place on until the end of the stream."""
    if isinstance(begin, Fault) or isinstance(nbytes, Fault):
        return begin if isinstance(begin, Fault) else nbytes
    if nbytes == 0:
        return Fault(NO_BYTES)
    return max(len(at.source.data) - begin, 0) // nbytes


def instances_until_end(at, kind, begin, each):
    """The same of structs that differ in size, each time so many of them; one that is cut off ends them."""
    return until_end(at, begin, lambda here: add(here, kind.total(here, each)))


def repetitions_until_end(at, items, body, here, varying=False):
    """How many repetitions of the items of a list lie from a place on until the end of the stream."""
    place = lambda here: body(Items(items._path, items._length), at, here)
    return until_end(at, here, place, alike=not varying)


def until_end(at, here, behind, alike=False):
    """How many parts lie from a place on; `behind` tells where one ends. From the second on they may be alike."""
    end, count = len(at.source.data), 0
    while not isinstance(here, Fault) and here < end:
        next_one = behind(here)
        if isinstance(next_one, CutOff):
            break
        if isinstance(next_one, Fault):
            return next_one
        if next_one == here:
            return Fault(NO_BYTES)
        if next_one > end:
            break
        count += 1
        if alike and count > 1:
            return count + (end - next_one) // (next_one - here)
        here = next_one
    return here if isinstance(here, Fault) else count
