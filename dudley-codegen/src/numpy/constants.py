class Stated:
    """The only legal value that the layout states of an array: of each element, or all of them in row-major order.

    `element` is the type of its elements; `outer` dimensions stand in front of those that a list is of.
    """

    def __init__(self, value, element, outer=0):
        self.value = value
        self.element = element
        self.outer = outer
        parts = 2 if element in ("c4", "c8", "c16") else 1
        values = value if isinstance(value, list) else [value]
        # One complex number is two numbers.
        self.single = not isinstance(value, list) or len(values) == parts > 1
        self.values = [self.held(one) for one in values]

    def __repr__(self):
        return repr(self.value)

    def within(self, outer):
        """The same of an array that has so many dimensions more in front."""
        return Stated(self.value, self.element, self.outer + outer)

    def held(self, value):
        """A value as an element has it: a float as the nearest one."""
        if self.element == "b1" and value in (0, 1):
            return bool(value)
        if self.element in NEAREST and not isinstance(value, (bool, str)):
            with np.errstate(over="ignore"):
                nearest = float(np.dtype(NEAREST[self.element]).type(value))
            # What is too great for the type is none of its numbers.
            return float(value) if math.isinf(nearest) else nearest
        return value

    def holds(self, found):
        """Whether a value is the legal one."""
        return self.below(found, self.outer)

    def below(self, found, outer):
        if outer and isinstance(found, list):
            return all(self.below(one, outer - 1) for one in found)
        found = list(flat(found))
        count = len(self.values)
        fits = len(found) % count == 0 if self.single else len(found) == count
        return fits and all(map(alike, found, itertools.cycle(self.values)))


#: The floats that elements are made of.
NEAREST = {"f2": "f2", "c4": "f2", "f4": "f4", "c8": "f4", "f8": "f8", "c16": "f8"}


def flat(value):
    """The single values, of complex numbers both parts."""
    if isinstance(value, list):
        for one in value:
            yield from flat(one)
    elif isinstance(value, complex):
        yield from (value.real, value.imag)
    else:
        yield value


def alike(found, stated):
    return found == stated and isinstance(found, bool) == isinstance(stated, bool)
