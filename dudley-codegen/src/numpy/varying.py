class Varying:
    """A struct whose instances differ in size: each is measured where it lies."""

    varying = True

    def __init__(self, at, members, single=False):
        self.source = at.source
        self.members = members
        self.single = single

    def fixed(self):
        """The bytes of an instance, where all have as many."""
        return self.members(Members(""), Placer(self.source, None))

    @property
    def fields(self):
        """The members of an instance, their places counted from its start."""
        home = Members("")
        self.members(home, Placer(self.source, None))
        return home._nodes

    def splice(self, home, records):
        """The members of records, all of one size, as items of a dict."""
        splice(home, records, self, self.fixed())

    def instance(self, address, path=""):
        """The members of the instance at an address, and its bytes."""
        home = Members(f"{path}.")
        size = self.members(home, Placer(self.source, address))
        return home._nodes, size

    def total(self, address, count):
        """The bytes of so many instances in a row."""
        if isinstance(address, Fault):
            return address
        start = address
        for _ in range(count):
            size = self.instance(address)[1]
            if isinstance(size, Fault):
                return size
            if size == 0:
                break
            address += size
        return exact(address - start)

    def instances(self, item):
        """The values of all instances of an array."""
        address, values = item.address, []
        for _ in range(item.count):
            nodes, size = self.instance(address, item.path)
            if self.single:
                # What the layout states of it is a matter of the item.
                nodes[""].const = None
            found = {name: member.tolist() for name, member in nodes.items()}
            values.append(found[""] if self.single else found or None)
            address += size
        return values


class Spliced(Item):
    """A member of records that is made of structs which are read one by one."""

    def __init__(self, records, of, size, name, path):
        field = of.fields[name]
        super().__init__(
            records.source,
            path,
            field.kind,
            records.shape + field.shape,
            records.address + records.first + field.address,
            field.nbytes * math.prod(records.shape),
            unit=field.unit,
            doc=field.doc,
        )
        self.records = records
        self.of = of
        self.size = size
        self.name = name

    def tolist(self):
        """The values as numbers, texts, lists and dicts of Python."""
        self.placed()
        records = self.records
        steps = strides(records.shape, records.strides, self.size)
        values = []
        for place in places(records.shape, steps, records.address + records.first):
            members, _ = self.of.instance(place, records.path)
            values.append(members[self.name].tolist())
        return nested(values, records.shape)


def places(shape, steps, first):
    """Where each element of an array begins, row by row."""
    found = [first]
    for dim, step in zip(shape, steps):
        found = [place + at * step for place in found for at in range(dim)]
    return found
