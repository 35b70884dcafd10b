class Members:
    """The members of a struct as they are placed."""

    def __init__(self, path):
        self._prefix = path
        self._nodes = {}


class Struct:
    """A struct of fixed size: its members lie at the same places in every instance."""

    varying = False

    def __init__(self, at, members, single=False):
        self.single = single
        home = Members("")
        self.size = members(home, Placer(at.source, None))
        # A member without a name and fields only says where the struct ends.
        named = (it for it in home._nodes.items() if it[0] or getattr(it[1].kind, "fields", True))
        self.fields = dict(named)

    @functools.cached_property
    def dtype(self):
        """The numpy type, with the offsets and the size that the layout says."""
        types = [field.kind.field(field.shape) for field in self.fields.values()]
        return np.dtype(
            {
                "names": list(self.fields),
                "formats": [np.dtype((dtype, shape)) for dtype, shape in types],
                "offsets": [field.address for field in self.fields.values()],
                "itemsize": self.size,
            }
        )

    def field(self, shape):
        return self.dtype, shape

    def value(self, data, outer, shape):
        self.check(data)
        if self.single:
            field = self.fields[""]
            return field.kind.value(data[""], outer + shape, field.shape)
        return data[()]

    def plain(self, data, outer, shape):
        self.check(data)
        shape = outer + shape
        columns = {
            name: field.kind.plain(data[name], shape, field.shape)
            for name, field in self.fields.items()
        }
        if self.single:
            return columns[""]
        return rows(columns, shape)

    def check(self, data):
        """The legal values of members; what stands for its one member has that of its own."""
        if self.single:
            return
        for name, field in self.fields.items():
            if field.const is not None:
                found = field.kind.plain(data[name], data.shape, field.shape)
                if not field.const.within(data.ndim).holds(found):
                    raise StreamError(
                        f"member {name}: expected {field.const!r}, found {found!r}"
                    )

    def splice(self, home, records):
        """The members of records as items of a dict, strided through the records."""
        splice(home, records, self, self.size)


def splice(home, records, kind, size):
    """The members of records of a kind, all of so many bytes, as items of a dict."""
    numbers = (*records.shape, records.address, size)
    faults = [it for it in numbers if isinstance(it, Fault)]
    if faults:
        home._fault = faults[0]
        return
    for name, field in kind.fields.items():
        path = home._prefix + quoted(name)
        if field.kind.varying:
            home._nodes[name] = Spliced(records, kind, size, name, path)
            continue
        steps = (
            *strides(records.shape, records.strides, size),
            *strides(field.shape, field.strides, field.kind.size),
        )
        shape = records.shape + field.shape
        address = records.address + records.first + field.address + field.first
        nbytes = field.kind.size * math.prod(shape)
        # Text without a dimension of its own has the last one of the records.
        outer = len(records.shape) - (hasattr(field.kind, "decoded") and not field.shape)
        more = {
            "outer": max(outer, 0),
            "strides": steps,
            "const": field.const and field.const.within(len(records.shape)),
            "unit": field.unit,
            "names": field.names,
            "doc": field.doc,
        }
        item = Item(records.source, path, field.kind, shape, address, nbytes, **more)
        home._nodes[name] = item


def strides(shape, own, size):
    """The strides that an array has of its own, else those of elements of so many bytes side by side."""
    steps = ()
    for dim in reversed(shape):
        steps, size = (size, *steps), size * dim
    return steps if own is None else own


def rows(columns, shape):
    """Lists of structs from a struct of lists."""
    if not columns:
        return nested([None] * math.prod(shape), shape)
    if not shape:
        return columns
    return [
        rows({name: column[at] for name, column in columns.items()}, shape[1:])
        for at in range(shape[0])
    ]
