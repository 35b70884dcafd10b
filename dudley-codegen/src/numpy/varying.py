class Varying:
    """A struct whose instances differ in size: each is measured where it lies."""

    varying = True

    def __init__(self, at, members, align, single=False):
        self.source = at.source
        self.members = members
        self.align = align
        self.single = single

    def instance(self, address, path=""):
        """The members of the instance at an address, and its bytes."""
        home, inside = Members(f"{path}."), Cursor(self.source, 0, address)
        self.members(home, inside)
        end = inside.end
        return home._nodes, end if isinstance(end, Fault) else exact(
            align_up(end, self.align)
        )

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
