class Presented:
    """How an array is presented that is not stored row by row: by layers of dimensions, from the outermost on.

    A layer is the number of its dimensions with "C", or "F" where the first of them varies fastest; or 1, "view",
    and of the view its shape, its strides (or None) and its offset, both in bytes.
    """

    def __init__(self, *layers, fault=None):
        self.layers = layers
        self.fault = fault

    def item(self, source, path, kind, shape, address, nbytes, **more):
        """An array that is presented so."""
        stored = Item(source, path, kind, there(shape), address, nbytes, **more)
        try:
            if self.fault is not None:
                raise ValueError(self.fault)
            size = kind.fixed() if kind.varying else kind.size
            if any(isinstance(it, Fault) for it in (*shape, size)):
                return stored
            return PresentedItem(stored, *self.strided(shape, size), size, **more)
        except ValueError as error:
            stored.address = Fault(str(error))
            return stored

    def strided(self, shape, element):
        """The dimensions, the strides, and where the first element is, in bytes."""
        own, at = [], 0
        for rank, *_ in self.layers:
            own.append(there(shape[at : at + rank]))
            at += rank
        dims, steps, first = (), (), 0
        for (_, how, *view), stored in reversed([*zip(self.layers, own)]):
            there_are, inner = stored, packed(stored, element, how)
            nbytes = math.prod(stored) * element
            if view:
                there_are, strides, first = view
                inner = packed(there_are, element, "C") if strides is None else strides
                if len(stored) != 1:
                    raise ValueError("a view is one of an item of one dimension, and this has none")
                ends = [(dim - 1) * step for dim, step in zip(there_are, inner)]
                low = first + sum(end for end in ends if end < 0)
                high = first + sum(end for end in ends if end > 0) + element
                if 0 in there_are:
                    first = 0
                elif low < 0 or high > nbytes:
                    raise ValueError(
                        f"the view goes from byte {low} to before byte {high} of the item, which has {nbytes}"
                    )
            dims, steps = (*there_are, *dims), (*inner, *steps)
            element = nbytes
        return dims, steps, first


def packed(shape, element, how):
    """Strides of elements side by side."""
    steps, order = [element] * len(shape), range(len(shape))
    order = list(order if how == "F" else reversed(order))
    for before, at in zip(order, order[1:]):
        steps[at] = steps[before] * shape[before]
    return tuple(steps)


class PresentedItem(Item):
    """An array that is presented otherwise than it is stored."""

    def __init__(self, stored, shape, strides, first, size, **more):
        super().__init__(
            stored.source,
            stored.path,
            stored.kind,
            shape,
            stored.address,
            stored.nbytes,
            **{**more, "strides": strides},
        )
        self.stored = stored
        self.first = first
        self.size = size

    @property
    def extent(self):
        """The bytes of all that is stored."""
        return self.nbytes

    def array(self):
        """The elements that the stream holds."""
        dtype, shape = self.kind.field(self.shape)
        if self.count == 0 or dtype.itemsize == 0:
            return np.zeros(shape, dtype)
        if self.filter is not None:
            data, begin = np.frombuffer(self.filter.decoded(self.stored), "u1"), 0
        else:
            data, begin = self.source.data, self.address
        inner = (dtype.itemsize,) * (len(shape) - len(self.shape))
        strides = (self.strides + inner)[: len(shape)]
        return np.ndarray(shape, dtype, data, begin + self.first, strides)

    def tolist(self):
        """The values as numbers, texts, lists and dicts of Python."""
        if not self.kind.varying:
            return super().tolist()
        self.placed()
        values = self.kind.instances(self.stored)
        size = max(self.size, 1)
        found = places(self.shape, self.strides, self.first)
        if any(place % size for place in found):
            raise StreamError(f"{self.path}: its structs are read whole, and it is a view of parts")
        found = [values[place // size] for place in found]
        return nested(found, self.shape)
