class Whole:
    """A list of blocks that is one array: its shape, and what elements are that no block holds.

    Blocks stand on the grid that the first one with elements makes, but for those that say where they begin.
    """

    def __init__(self, shape, fill=0, data=None):
        self.shape = shape
        self.fill = fill
        self.data = data

    def array(self, blocks, like):
        """All elements, as they lie in the stream, in the type that a block is of; text as its bytes or units."""
        there = [(at, block) for at, block in enumerate(blocks) if block.count]
        cell = there[0][1].shape if there else self.shape
        counts = [-(-dim // max(length, 1)) for dim, length in zip(self.shape, cell)]
        # Characters of a text are one element.
        own = there[0][1] if there else like
        dims = len(own.kind.field(own.shape)[1])
        if own.shape[dims:] != self.shape[dims:]:
            raise StreamError(f"{own.path}: blocks that cut texts are read one by one")
        dtype, whole = own.kind.field(self.shape)
        found = np.empty(whole, dtype)
        self.fill_in(found)
        for at, block in there:
            start = block.start
            if start is None:
                start = [int(index) * n for index, n in zip(np.unravel_index(at, counts), cell)]
            room = [min(at + n, dim) - at for at, n, dim in zip(start, block.shape, whole)]
            inside = tuple(slice(at, at + n) for at, n in zip(start, room))
            found[inside] = block.data[tuple(slice(n) for n in room)]
        return found

    def fill_in(self, found):
        """What stands where no block is."""
        if self.data is not None:
            flat = found.reshape(-1).view("u1")
            flat[:] = np.resize(np.array(self.data, "u1"), flat.size)
        elif isinstance(self.fill, list):
            found[...] = np.array(filled(found.dtype, iter(self.fill)), found.dtype)
        elif found.dtype.names is None:
            found[...] = self.fill
        else:
            found[...] = np.zeros((), found.dtype)


def filled(dtype, numbers):
    """A struct, from all of its numbers in a row."""
    if dtype.subdtype is not None:
        kind, shape = dtype.subdtype
        values = [filled(kind, numbers) for _ in range(math.prod(shape))]
        return np.array(values, kind).reshape(shape)
    if dtype.names is None:
        return next(numbers)
    return tuple(filled(dtype[name], numbers) for name in dtype.names)
