class Column:
    """What some items of a list have at a path below them, as one array: its first dimension is that of the items.

    `path` and `shape` say what there is; `value` reads it, without a loop and without a copy where the items
    lie at equal distances, and `tolist` as lists of Python.
    """

    def __init__(self, items, numbers, below):
        self.items = items
        self.numbers = numbers
        self.below = below
        by = "" if numbers.step == 1 else f":{numbers.step}"
        self.path = f"{items._path}[{numbers.start}:{numbers.stop}{by}]/{below}".rstrip("/")

    def __repr__(self):
        return f"<{self.path} of {len(self.numbers)} items>"

    @property
    def shape(self):
        """The number of items, and the dimensions of what the first of them has."""
        if self.numbers:
            return len(self.numbers), *self.item(self.numbers[0]).shape
        return np.shape(self.nothing().value)

    @property
    def names(self):
        """A dict of values that have names."""
        return self.item(self.numbers[0]).names if self.numbers else {}

    @property
    def value(self):
        """An array; a list where the items differ in size from instance to instance."""
        backward = self.numbers.step < 0
        numbers = self.numbers[::-1] if backward else self.numbers
        parts = [part.value for part in self.parts(numbers)]
        if any(isinstance(part, list) for part in parts):
            whole = [one for part in parts for one in part]
        else:
            whole = joined(self.path, parts, np.concatenate)
        return whole[::-1] if backward else whole

    def tolist(self):
        """The values as numbers, texts, lists and dicts of Python."""
        return [self.item(at).tolist() for at in self.numbers]

    def item(self, at):
        """That of one item of the list."""
        return self.array(self.items._node(at))

    def array(self, node):
        """What an item of the list has at the path below it: an array, else a param."""
        *dicts, label = re.findall(BETWEEN, self.below) or [""]
        home = descend(node, "/".join(dicts)) if dicts else node
        param = label.removeprefix(":")
        if param in getattr(home, "_stored", {}) and label not in home._nodes:
            return home._stored[param]
        found = descend(home, label)
        if not isinstance(found, Item):
            raise KeyError(f"{self.path}: a column is of arrays, and `{found._path}` is none")
        return found

    def parts(self, numbers):
        """Items, or values, of which each stands for as many in a row as can be read at once."""
        if not numbers:
            yield self.nothing()
        for first, length, piece in self.items._pieces:
            behind = max(0, -(-(first - numbers.start) // numbers.step))
            start = numbers.start + behind * numbers.step
            mine = range(start, min(numbers.stop, first + length), numbers.step)
            gathered = self.gathered(piece, first, mine)
            # The first repetition may be padded otherwise than those that follow.
            for some in [mine] if gathered or self.strided(piece, mine) else [mine[:1], mine[1:]]:
                if some:
                    yield gathered or self.strided(piece, some) or self.values(some)

    def values(self, numbers):
        """Those of some items, one by one."""
        return Values(self.path, [self.item(at).value for at in numbers])

    def nothing(self):
        """The column of a list without items: what one would be like if there were one."""
        one, error = None, None
        for _, _, piece in self.items._pieces:
            try:
                one = one or self.array(piece.node(self.items._path, 0, 0))
            except KeyError as missing:
                error = missing
        if one is None and error is not None:
            raise error
        if one is None:
            return Nothing(np.zeros(0))
        if one.kind.varying:
            return Nothing([])
        if any(isinstance(dim, Fault) for dim in one.shape):
            return Nothing(np.zeros(0))
        dtype, shape = one.kind.field(one.shape)
        return Nothing(np.zeros((0, *shape), dtype))

    def strided(self, piece, numbers):
        """One item that stands for several, if they lie at equal distances; None if they may not."""
        if piece.width != 1 or piece.varying or len(numbers) < 2 or isinstance(piece.stride, Fault):
            return None
        nodes = [self.items._node(at) for at in numbers[:2]]
        # Those with params of their own that something needs may have other places and lengths each.
        if any(isinstance(node, List) for node in nodes):
            return None
        if not piece.alike and any(getattr(node, "_known", None) for node in nodes):
            return None
        one, two = (self.item(at) for at in numbers[:2])
        numbers_of_one = (*one.shape, one.address, one.nbytes)
        if any(isinstance(it, Fault) for it in (*numbers_of_one, two.address)):
            return None
        step = two.address - one.address
        plain = one.strides is None and one.filter is None and not one.kind.varying
        if not plain or self.crosses_lists(one, numbers[0]) or step != piece.stride * numbers.step:
            return None
        steps, size = (), one.kind.size
        for dim in reversed(one.shape):
            steps, size = (size, *steps), size * dim
        # Text without a dimension of its own has that of the items.
        outer = 0 if hasattr(one.kind, "decoded") and not one.shape else 1
        return Item(
            one.source,
            self.path,
            one.kind,
            (len(numbers), *one.shape),
            one.address,
            one.nbytes * len(numbers),
            outer=outer,
            strides=(step, *steps),
            const=one.const and one.const.within(1),
        )

    def gathered(self, piece, first, numbers):
        """One item that stands for several in repetitions that differ in size, if all are of one shape; else None."""
        placed = len(piece.starts) - 1
        if piece.survey is None or piece.width != 1 or len(numbers) < 2 or numbers[-1] - first >= placed:
            return None
        one = self.item(numbers[0])
        # All repetitions were placed as if they were the first.
        path = f"{self.items._path}/{first}" + one.path[len(f"{self.items._path}/{numbers[0]}") :]
        addresses = piece.survey.addresses(path, placed)
        plain = one.strides is None and one.filter is None and one.const is None
        # Text without a dimension of its own has that of the items.
        is_text = hasattr(one.kind, "decoded") and not one.shape
        if addresses is None or not plain or one.kind.varying or is_text or one.first or not one.nbytes:
            return None
        addresses = addresses[numbers.start - first : numbers.stop - first : numbers.step]
        if addresses.max() > len(one.source.data) - one.nbytes:
            return None
        return Scattered(one, self.path, addresses)

    def crosses_lists(self, one, at):
        """Whether what an item has lies in another list: names that are numbers have quotes in paths."""
        below = one.path[len(f"{self.items._path}/{at}") :]
        return any(name.isdecimal() for _, name in re.findall(PART, below))


class Scattered(Item):
    """Items of one type and shape, wherever they lie."""

    def __init__(self, one, path, addresses):
        shape = (len(addresses), *one.shape)
        super().__init__(one.source, path, one.kind, shape, int(addresses[0]), one.nbytes, outer=1)
        self.addresses = addresses

    def array(self):
        outer, own = self.shapes
        dtype, shape = self.kind.field(own)
        data = self.source.data
        starts = np.ndarray(len(data) - self.nbytes + 1, f"V{self.nbytes}", data, 0, 1)
        return starts[self.addresses].view(dtype).reshape(outer + shape)


class Nothing:
    """No values, of the type that they would have."""

    def __init__(self, value):
        self.value = value


class Values:
    """Values that were read one by one, as an array where they are no lists of structs that differ in size."""

    def __init__(self, path, values):
        varying = any(isinstance(value, (list, dict)) for value in values)
        self.value = values if varying else joined(path, [np.asarray(it) for it in values], np.stack)


def joined(path, arrays, join):
    """One array of several, which must be of one type and shape."""
    arrays = [array for array in arrays if array.ndim == 0 or len(array) or join is np.stack] or arrays[:1]
    kinds = {("U" if it.dtype.kind == "U" else it.dtype, it.shape[join is np.concatenate :]) for it in arrays}
    if len(kinds) > 1:
        some = " and ".join(sorted(f"{dtype}{list(shape)}" for dtype, shape in kinds))
        raise StreamError(f"{path}: the items differ, so that they are no array: {some}")
    return arrays[0] if len(arrays) == 1 and join is np.concatenate else join(arrays)
