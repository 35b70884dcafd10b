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

    def splice(self, home, records):
        """Members are items of a dict only where they are strided through the records."""
        home._fault = Fault(f"{records.path}: its members have no strides that numpy has")

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
