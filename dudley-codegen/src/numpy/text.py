class Text(Number):
    """Text of a fixed number of units; the last dimension counts them."""

    def __init__(self, name, order):
        self.name = name
        self.size = {"S1": 1, "U1": 1, "U2": 2, "U4": 4}[name]
        self.order = order
        self.pair = ()
        self.dtype = np.dtype(f"{order}u{self.size}")

    def field(self, shape):
        """Bytes and UTF-32 as numpy has them; UTF-16, which it does not have, as its units."""
        if self.name == "U2" or not shape or shape[-1] == 0:
            return self.dtype, shape
        code = f"{self.order}U" if self.name == "U4" else "S"
        return np.dtype(f"{code}{shape[-1]}"), shape[:-1]

    def value(self, data, outer, shape):
        dims = outer + (shape or (1,))
        units = np.ascontiguousarray(data).view(self.dtype)
        if len(dims) > 1 and units.size and units.max() < 0x80:
            # ASCII is the same in all encodings, and numpy takes NULs at the end for padding.
            units = units.reshape(-1, dims[-1])
            used = 1 + max(np.flatnonzero(units.any(axis=0)), default=0)
            whole = np.ascontiguousarray(units[:, :used], "=u4")
            return whole.view(f"U{used}").reshape(dims[:-1])
        text = self.plain(data, outer, shape)
        return text if isinstance(text, str) else np.array(text, "U")

    def plain(self, data, outer, shape):
        shape = outer + (shape or (1,))
        units = np.ascontiguousarray(data).view(self.dtype).reshape(shape)
        if units.size == 0:
            return nested([""] * math.prod(shape[:-1]), shape[:-1])
        rows = units.reshape(-1, shape[-1])
        return nested([self.decoded(row) for row in rows], shape[:-1])

    def decoded(self, units):
        """The text of some units: NULs at the end are padding, what is no text is U+FFFD."""
        used = np.flatnonzero(units)
        units = units[: used[-1] + 1] if len(used) else units[:0]
        if self.name == "S1":
            return "".join(map(CP1252.__getitem__, units))
        if self.name == "U4":
            legal = (units < 0xD800) | ((units > 0xDFFF) & (units < 0x110000))
            return "".join(map(chr, np.where(legal, units, 0xFFFD)))
        code = {"U1": "utf-8", "U2": {"<": "utf-16-le", ">": "utf-16-be"}[self.order]}
        return units.tobytes().decode(code[self.name], "replace")


#: The characters of CP1252; its five undefined bytes are those of Latin-1.
CP1252 = [
    (code := bytes([byte])).decode("cp1252", "ignore") or code.decode("latin-1")
    for byte in range(256)
]
KINDS.update(S1=Text, U1=Text, U2=Text, U4=Text)
