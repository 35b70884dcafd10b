class StreamError(ValueError):
    """A stream is not what the layout says: names the item, its address and what was expected."""


class Fault:
    """A number that cannot be had. What needs it cannot be read; all else can."""

    def __init__(self, why):
        self.why = why

    def _same(self, _other):
        return self

    __add__ = __radd__ = __sub__ = __rsub__ = _same


class CutOff(Fault):
    """A number that cannot be had since something ends past the end of the stream."""


def more(value, by=1):
    """`N+` is one more than N, but 0 and -1 stay what they are."""
    if isinstance(value, Fault) or value in (0, -1):
        return value
    return exact(value + by)


def less(value, by=1):
    """`N-` is one less than N, but 0 and -1 stay what they are."""
    return more(value, -by)


def within(value):
    """A part of an expression: what is multiplied, divided or in brackets fits as well."""
    if not isinstance(value, Fault) and not -LIMIT - 1 <= value <= LIMIT:
        return Fault(f"{value} does not fit in 63 bits")
    return value


def times(a, b):
    """A product of params."""
    if isinstance(a, Fault) or isinstance(b, Fault):
        return a if isinstance(a, Fault) else b
    return within(a * b)


def quotient(a, b):
    """A quotient of params, which leaves no remainder."""
    if isinstance(a, Fault) or isinstance(b, Fault):
        return a if isinstance(a, Fault) else b
    if b == 0:
        return Fault(f"{a}/{b} divides by 0")
    return Fault(f"{a}/{b} leaves a remainder") if a % b else within(a // b)


def exact(value):
    """An expression of params: plain arithmetic, never below 0."""
    if not isinstance(value, Fault) and not 0 <= value <= LIMIT:
        return Fault(f"a length or address comes out as {value}")
    return value


def reach(value):
    """A size or address; none is so large that it does not fit in 63 bits."""
    return CutOff(f"a length or address comes out as {value}") if value > LIMIT else value


def size(element, *dims):
    """The bytes of an array of so many elements of so many bytes: none if a dimension is 0, whatever an
    element has. A dimension of -1 is not there."""
    count = 1
    for dim in dims:
        if isinstance(dim, Fault):
            return dim
        if dim != -1:
            count *= dim
    if count == 0:
        return 0
    return element if isinstance(element, Fault) else reach(count * element)


def align(cursor, to, nbytes):
    """Where an item goes: the next multiple, but nothing of size 0 is aligned."""
    if isinstance(cursor, Fault) or nbytes == 0:
        return cursor
    return nbytes if isinstance(nbytes, Fault) else reach(-(-cursor // to) * to)


def add(place, nbytes):
    """A sum of two numbers of bytes."""
    place = place + nbytes
    return place if isinstance(place, Fault) else reach(place)


def greatest(*ends):
    """The greatest of some numbers of bytes; of none, 0."""
    faults = [end for end in ends if isinstance(end, Fault)]
    return faults[0] if faults else max(ends, default=0)


class Number:
    """A primitive type in a byte order."""

    varying = False

    def __init__(self, name, order):
        code, self.size, self.pair = NUMBERS[name]
        self.order = order
        self.dtype = np.dtype(order + code)

    def field(self, shape):
        """The numpy type and shape of an array; numpy has no complex numbers of 4 bytes."""
        return self.dtype, shape + self.pair

    def value(self, data, _outer, _shape):
        """What a user wants to see of an array; `outer` are the dimensions of structs around it."""
        return data[()]

    def plain(self, data, _outer, _shape):
        """The same as numbers and lists of Python."""
        return data.tolist()


class Bool(Number):
    """Booleans: 0 is false, every other byte true."""

    def value(self, data, _outer, _shape):
        return (data.view("u1") != 0)[()]

    def plain(self, data, _outer, _shape):
        return (data.view("u1") != 0).tolist()


INTEGERS = ["i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8"]
FLOATS = ["f2", "f4", "f8", "c8", "c16"]
#: numpy code, bytes of an element, and the dimension that pairs have besides.
NUMBERS = {
    **{name: (name, int(name[1:]), ()) for name in INTEGERS},
    **{name: (name, int(name[1:]), ()) for name in FLOATS},
    "c4": ("f2", 4, (2,)),
    "p4": ("u4", 4, ()),
    "p8": ("u8", 8, ()),
    "b1": ("?", 1, ()),
}
KINDS = {"b1": Bool}


class Guards:
    """Items with one legal value that lie before others: compared once, before a param behind them is read."""

    def __init__(self):
        self.waiting = []
        self.wrong = None

    def compare(self):
        """What is wrong with one of them, if anything is."""
        waiting, self.waiting = self.waiting, []
        for item in waiting:
            if self.wrong is None and item.lies_within():
                try:
                    item.tolist()
                except StreamError as error:
                    self.wrong = Fault(str(error))
        return self.wrong


class Source:
    """The bytes of a stream and what is known of it besides the layout."""

    def __init__(self, data, order, given, name):
        self.data = data
        self.order = order
        self.given = given
        self.name = name
        self.used = set()
        self.bytes = memoryview(data)
        self.kinds = {}
        # By name, one of the params that have a value for each item of a list.
        self.repeated = {}
        # Those of dicts that occur once.
        self.guards = Guards()
        # Whether params that lie in the stream are taken as unknown.
        self.blind = False
        self.const_check = True
        # What is wrong with a guard that no param moves: nothing is read then.
        self.wrong = None

    def kind(self, element):
        """A type by its name (`f8`, `>i4`); structs are types already."""
        if not isinstance(element, str):
            return element
        if element not in self.kinds:
            order, name = self.order, element
            if element[0] in "<>":
                order, name = element[0], element[1:]
            self.kinds[element] = KINDS.get(name, Number)(name, order)
        return self.kinds[element]

    def view(self, path, address, nbytes):
        """Some bytes of the stream."""
        if address + nbytes > len(self.data):
            raise StreamError(self.ends(path, address, nbytes))
        return self.data[address : address + nbytes]

    def ends(self, path, address, nbytes):
        """That some bytes are not there."""
        return (
            f"{self.name}: {path}: {nbytes} bytes at address {address}, "
            f"but the stream ends after {len(self.data)}"
        )

    def legal(self, path, value, where):
        """A value of a param, or a fault."""
        if -1 <= value <= LIMIT:
            return value
        return Fault(f"param {path} is {value} ({where}), expected -1 or more")

    def supplied(self, home, path):
        """The value of a param that the caller gives, if it does: of a dict that occurs once."""
        if not (isinstance(home, Dict) and home._single and path in self.given):
            return None
        written, value = self.given[path]
        self.used.add(written)
        return self.legal(path, value, "supplied")

    def param(self, path, kind, address, const=None, guards=None):
        """The value of a param that is read; what stands before it, also within its dict, is compared first."""
        if self.blind:
            return Fault(f"param {path} is not read")
        if self.const_check:
            wrong = self.guards.compare() or (guards and guards.compare())
            if wrong is not None:
                return wrong
        if isinstance(address, Fault):
            return address
        stored = self.bytes[address : address + kind.size]
        if len(stored) < kind.size:
            return CutOff(self.ends(path, address, kind.size))
        order = {"<": "little", ">": "big"}[kind.order]
        value = int.from_bytes(stored, order, signed=kind.dtype.kind == "i")
        if const is not None and self.const_check and not const.holds([value]):
            return Fault(f"param {path}: at address {address}: expected {const!r}, found {value}")
        if -1 <= value <= LIMIT:
            return value
        return self.legal(path, value, f"at address {address}")


class Item:
    """An array of a stream: what it is and where it lies.

    `path`, `shape`, `address` (in bytes from the start of the stream), `nbytes` (in the stream),
    `unit`, `names` (a dict of values that have names) and `doc` say what there is; `data` and `value` read it.
    """

    def __init__(self, source, path, kind, shape, address, nbytes, **more):
        self.source = source
        self.path = path
        self.kind = kind
        self.shape = shape
        self.address = address
        self.nbytes = nbytes
        # Bytes from there to its first element; only views have some in between.
        self.first = 0
        self.outer = more.get("outer", 0)
        self.strides = more.get("strides")
        self.filter = more.get("filter")
        self.const = more.get("const")
        # Of a block, where it begins in its array, if it says so.
        self.start = more.get("start")
        self.unit = more.get("unit")
        self.names = more.get("names", {})
        self.doc = more.get("doc")

    def __repr__(self):
        return f"<{self.path} {self.shape} at {self.address}, {self.nbytes} bytes>"

    @property
    def count(self):
        """The number of elements."""
        return math.prod(self.shape)

    @property
    def shapes(self):
        """The dimensions of the records that it is spread over, and its own."""
        return self.shape[: self.outer], self.shape[self.outer :]

    @property
    def data(self):
        """The elements as they lie in the stream: a numpy view, text as its bytes or units."""
        self.placed()
        if self.kind.varying:
            raise StreamError(
                f"{self.path}: its structs differ in size, so that numpy has no array of them; "
                "`value` has them as dicts"
            )
        if self.filter is None and self.nbytes:
            self.source.view(self.path, self.address, self.extent)
        try:
            data = self.array()
        except StreamError:
            raise
        except (TypeError, ValueError) as error:
            raise StreamError(
                f"{self.path}: numpy has no such array: {error}"
            ) from error
        if self.const is not None:
            self.check(self.kind.plain(data, *self.shapes))
        return data

    @property
    def extent(self):
        """The bytes from its first element to its last."""
        if self.strides is None:
            return self.nbytes
        ends = [(dim - 1) * step for dim, step in zip(self.shape, self.strides)]
        return sum(ends) + self.kind.size

    def array(self):
        """The elements that the stream holds."""
        outer, own = self.shapes
        dtype, shape = self.kind.field(own)
        if (
            self.strides
            and self.strides[-1] != self.kind.size
            and isinstance(self.kind, Number)
        ):
            # The last dimension is that of the records, so the units of a text are apart.
            dtype, shape = self.kind.dtype, own + self.kind.pair
        shape = outer + shape
        if self.filter is not None and (self.count or self.nbytes):
            return np.ndarray(shape, dtype, self.filter.decoded(self))
        if self.count == 0 or dtype.itemsize == 0:
            return np.zeros(shape, dtype)
        if self.strides is None:
            return np.ndarray(shape, dtype, self.source.data, self.address)
        inner = (dtype.itemsize,) * (len(shape) - len(self.shape))
        strides = (self.strides + inner)[: len(shape)]
        return np.ndarray(shape, dtype, self.source.data, self.address, strides)

    @property
    def value(self):
        """What to compute with: a numpy array or scalar; text as `str`."""
        if self.kind.varying:
            return self.tolist()
        return self.kind.value(self.data, *self.shapes)

    def tolist(self):
        """The values as numbers, texts, lists and dicts of Python."""
        self.placed()
        if self.kind.varying:
            values = nested(self.kind.instances(self), self.shape)
            if self.const is not None:
                self.check(values)
            return values
        return self.kind.plain(self.data, *self.shapes)

    def placed(self):
        """Fails if the stream is not one of the layout, something before the item, or a number that it needs, is wrong."""
        if self.source.wrong is not None:
            raise StreamError(self.source.wrong.why)
        for needed in self.needed():
            if isinstance(needed, Fault):
                raise StreamError(f"{self.path}: {needed.why}")

    def needed(self):
        """The numbers that say where it lies."""
        # Structs that differ in size have none.
        return (*self.shape, self.address, self.nbytes, getattr(self.kind, "size", 0))

    def lies_within(self):
        """Whether it has a place, and all of it is there."""
        if any(isinstance(needed, Fault) for needed in self.needed()):
            return False
        return self.address + self.nbytes <= len(self.source.data)

    def is_guard(self):
        """Whether it has only one legal value, or members of it do; what is long is compared when it is read."""
        fields = getattr(self.kind, "fields", {})
        return (self.const is not None or any(it.is_guard() for it in fields.values())) and (
            isinstance(self.nbytes, Fault) or self.nbytes <= GUARDED
        )

    def check(self, found):
        """Compares with the only legal value that the layout states."""
        if not self.const.holds(found):
            raise StreamError(
                f"{self.path}: at address {self.address}: expected {self.const!r}, found {found!r}"
            )


def nested(values, shape):
    """A flat list as lists of lists."""
    if not shape:
        return values[0]
    inner = math.prod(shape[1:])
    return [
        nested(values[at * inner : (at + 1) * inner], shape[1:])
        for at in range(shape[0])
    ]


class Dict:
    """Items by name: `stream.rho` or `stream["rho"]` reads one, `stream.item("rho")` says where it is.

    Paths as `walk` has them, such as `/mesh/x`, name what is below, too. Names that
    this class uses itself (`item`, `params`, `walk`) are reached in brackets.
    """

    def __init__(self, source, path, outer=None):
        self._source = source
        self._path = path
        self._prefix = f"{path}/"
        # The params, by path, of all dicts up to the root, or up to the one that stands in a list.
        self._known = {} if outer is None else outer._known
        # Whether it occurs once, in no list.
        self._single = path == "" if outer is None else outer._single
        self._nodes = {}
        # The names of values of params, by path as well.
        self._named = {} if outer is None else outer._named
        # Of one in a list the params that lie there, as items: all of them are a column.
        self._stored = {}
        # The items with one legal value of one in a list, of which the others know nothing.
        self._guards = source.guards if self._single else Guards()
        self._fault = None

    def __dir__(self):
        return [*super().__dir__(), *self._nodes]

    def __iter__(self):
        return iter(self._nodes)

    def __len__(self):
        return len(self._nodes)

    def __contains__(self, name):
        return name in self._nodes

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        try:
            return self[name]
        except KeyError as error:
            raise AttributeError(*error.args) from None

    def __getitem__(self, name):
        return shown(self._node(name))

    def _node(self, name):
        if name in self._nodes:
            return self._nodes[name]
        if isinstance(name, str) and name.startswith(self._prefix):
            return self.item(name.removeprefix(self._prefix))
        if self._fault is not None:
            raise StreamError(self._fault.why)
        near = difflib.get_close_matches(str(name), self._nodes, 1)
        hint = f"; did you mean `{near[0]}`?" if near else ""
        raise KeyError(f"there is no `{name}` in `{self._path or '/'}`{hint}")

    @property
    def params(self):
        """Its params and those of the dicts below, by name and path."""
        return Params(self)

    def item(self, path):
        """What is at a path, such as `/mesh/x` or `/list/2/x`: an array without its values."""
        return descend(self, path)

    def walk(self):
        """All arrays below, in the order of their names in the layout: pairs of path and item."""
        for node in self._nodes.values():
            yield from node.walk() if hasattr(node, "walk") else [(node.path, node)]


def descend(node, path):
    """What is at a path below a dict or list; behind a slice of a list it is a column."""
    for found in re.finditer(PART, path):
        name = json.loads(found[1], strict=False) if found[1] else found[2]
        part = not found[1] and re.fullmatch(PICKED, name)
        if part and not (isinstance(node, Dict) and name in node._nodes):
            # `hist[:]`, or `[:]` behind a name in quotes.
            items = step(node, part[1], path) if part[1] else node
            if isinstance(node, Item) or isinstance(items, (Dict, Item)):
                raise KeyError(f"`{path}`: `{part[1]}` is no list; slices of arrays are those of numpy")
            if ":" in part[2]:
                some = slice(*(int(it) if it.strip() else None for it in part[2].split(":")))
                return items.column(path[found.end() :].removeprefix("/"), some)
            node = items._node(int(part[2]))
        else:
            node = step(node, name, path)
    return node


def step(node, name, path):
    """What has a name, or a number, in a dict or list."""
    if isinstance(node, Item):
        raise KeyError(f"`{node.path}` is an array, there is no `{name}` in it")
    if isinstance(node, Dict):
        return node._node(name)
    if not name.removeprefix("-").isdecimal():
        # As listings write all repetitions at once.
        hint = f"; give one, such as `{instance(path)}`" if name[0] == "[" else ""
        raise KeyError(
            f"`{node._path}` is a list: its items have numbers, none is `{name}`{hint}"
        )
    return node._node(int(name))


def shown(node):
    """An array or column as its value; dicts and lists as they are, but those that are one array."""
    is_array = getattr(node, "_whole", None) is not None
    return node.value if is_array or not hasattr(node, "_path") else node


def instance(path):
    """The first of those that a path of listings stands for: `/l/1/x` for `/l/[1 + 2*i]/x`."""
    return re.sub(
        r"(^|/)\[(?:([0-9]+)(?= \+|\]))?[^]]*\]",
        lambda found: f"{found[1]}{found[2] or 0}",
        path,
    )


#: A name with an index, or a slice, of the list that has it.
PICKED = r"(.*)\[( *-?[0-9]+ *|[-0-9 ]*:[-0-9 ]*(?::[-0-9 ]*)?)\]"
#: A part of a path: a name in quotes, with the escapes of JSON, or as it is.
PART = r'("(?:[^"\\]|\\.)*")|([^/"]+)'
#: What stands in a path as an escape: quotes, and what may hide or reorder what is beside it.
ESCAPED = re.compile(
    r'["\\\x00-\x1f\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f'
    r"\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]"
)


def escape(found):
    """A character of a name as listings have it."""
    c = found[0]
    return f"\\u{ord(c):04x}" if c in "\b\f" else json.dumps(c)[1:-1]


def quoted(name):
    """A name as it stands in a path."""
    if name.isascii() and name.isidentifier():
        return name
    return f'"{ESCAPED.sub(escape, name)}"'


class Placer:
    """Makes what lies in a stream, where the operations of the layout say.

    Within a struct places are counted from the start of the instance, which lies at `base`; a
    struct of fixed size is measured without an instance, so without a base.
    """

    def __init__(self, source, base=0):
        self.source = source
        self.base = base

    def absolute(self, place):
        """The address of a place in the stream."""
        if isinstance(place, Fault) or self.base is None:
            return place
        return self.base + place

    def dict(self, home, name):
        """A dict in a dict, made or entered again; without a name one of a list."""
        if name is None:
            return home.add(
                Dict(self.source, f"{home.path}/{home.first + len(home.nodes)}")
            )
        if name not in home._nodes:
            path = home._prefix + quoted(name)
            home._nodes[name] = Dict(self.source, path, home)
        return home._nodes[name]

    def fixed(self, home, name, value, *, names=None):
        """A param with a value in the layout, which the caller may override."""
        path = home._prefix + name
        home._named[path] = names or {}
        given = self.source.supplied(home, path)
        if given is None:
            given = self.source.legal(path, value, "fixed")
        return self.keep(home, path, given)

    def room(self, home, name, found):
        """A param that takes what the stream has left: so many there is room for."""
        path = home._prefix + name
        given = self.source.supplied(home, path)
        return self.keep(home, path, found if given is None else given)

    def keep(self, home, path, value):
        """A param of a dict as it can be asked for."""
        home._known[path] = value
        if not home._single:
            name = path.removeprefix(home._prefix)
            self.source.repeated.setdefault(name, path)
        return value

    def param(self, home, name, element, place, *, names=None, const=None):
        """A param that lies in the stream."""
        kind = self.source.kind(element)
        address = self.absolute(place)
        path = home._prefix + name
        names = names or {}
        if isinstance(home, Dict):
            home._named[path] = names
            value = self.source.supplied(home, path)
            if value is None:
                value = self.source.param(path, kind, address, const, home._guards)
            if not home._single:
                home._stored[name] = Item(
                    self.source, path, kind, (), address, kind.size, names=names
                )
            return self.keep(home, path, value)
        home._nodes[name] = Item(self.source, path, kind, (), address, kind.size, names=names)
        if self.base is None:
            return Fault(f"{path} differs from instance to instance")
        return self.source.param(path, kind, address, const)

    def array(
        self, home, name, element, shape, place, nbytes, *, spliced=False, presented=None, **more
    ):
        """An array of a dict, a list (without a name) or a struct."""
        kind = self.source.kind(element)
        if name is None:
            path = f"{home.path}/{home.first + len(home.nodes)}"
        else:
            path = home._prefix + quoted(name)
        address = self.absolute(place)
        if presented is None:
            item = Item(self.source, path, kind, there(shape), address, nbytes, **more)
        else:
            item = presented.item(self.source, path, kind, shape, address, nbytes, **more)
        if isinstance(home, Dict) and not spliced and not kind.varying and item.is_guard():
            home._guards.waiting.append(item)
        if spliced:
            kind.splice(home, item)
        elif name is None:
            home.add(item)
        else:
            home._nodes[name] = item

    def stored(self, element, shape, place, filter=None):
        """The bytes of an array that only the stream tells: it has them at a place, if any."""
        if self.source.blind:
            return Fault("what the stream says is not read")
        shape = there(shape)
        for dim in shape:
            if isinstance(dim, Fault):
                return dim
        kind, count, address = self.source.kind(element), math.prod(shape), self.absolute(place)
        if count == 0:
            return 0
        if filter is not None:
            return filter.count(self.source, address, kind.size)
        return kind.total(address, count)


def there(shape):
    """The dimensions that are there."""
    return tuple(dim for dim in shape if isinstance(dim, Fault) or dim != -1)


def signature(data, name):
    """The byte order of a native stream and where its data end; None if it is not one."""
    head = bytes(data[:16])
    for order in "<>":
        magic = b"\x8d" + order.encode() + b"BD\r\n\x1a\n"
        if head.startswith(magic):
            end = int.from_bytes(head[8:], {"<": "little", ">": "big"}[order])
            if len(head) < 16:
                raise StreamError(
                    f"{name}: ends after {len(head)} bytes, within its signature"
                )
            if 0 < end < 16:
                raise StreamError(
                    f"{name}: the layout address is {end}, within the signature"
                )
            return order, min(end or len(data), len(data))
        damages = {
            "a transfer in text mode turned `0d 0a` into `0a`": magic.replace(
                b"\r\n", b"\n"
            ),
            "a transfer in text mode turned `0d 0a` into `0d`": magic.replace(
                b"\r\n", b"\r"
            ),
            "a transfer in text mode turned `0a` into `0d 0a`": magic.replace(
                b"\n", b"\r\n"
            ),
            "a 7-bit transfer cleared the top bits": bytes(
                byte & 0x7F for byte in magic
            ),
        }
        for damage, left in damages.items():
            if head.startswith(left[:7]):
                raise StreamError(
                    f"{name}: the signature of a native stream is damaged: {damage}"
                )
    return None


#: Words of a layout: names and numbers, text, signs; and comments.
WORD = re.compile(
    r'''"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|#[^\n]*|[\w.]+|->|[^\s\ufeff]'''
)


def words(text):
    """The words of a layout without its comments, each with where it stands."""
    for found in WORD.finditer(text):
        if found[0][0] != "#":
            yield found[0], found.start()


def same_layout(data, address, name):
    """That the layout that a stream carries is that of this module; it may go on with more items."""
    text = bytes(data[address:]).decode(errors="replace")
    theirs, line = words(text), 1
    for ours, _ in words(LAYOUT):
        found, at = next(theirs, ("its end", len(text)))
        line = text.count("\n", 0, at) + 1
        if found != ours:
            break
    else:
        found, at = next(theirs, ("-", len(text)))
        line = text.count("\n", 0, at) + 1
        if found in ("-", "/", "..") or found[0] in "\"'" or found[0].isidentifier():
            return
        ours = "its end"
    raise StreamError(
        f"{name}: it carries another layout than that of this module: line {line} there has "
        f"`{found}`, where this one has `{ours}`; make a module of that layout, or read it "
        "all the same with any_layout=True"
    )


#: What can be said of the order of a stream.
ORDERS = {None: None, "<": "<", ">": ">", "little": "<", "big": ">"}


#: Items of more bytes are compared with their legal values only when they are read.
GUARDED = 1 << 16


def guarded(stream, start, const_check):
    """Compares the items with one legal value that no param of the stream moves."""
    if "Stated" not in globals():
        # The layout has none.
        return
    stream.blind = True
    place(Dict(stream, ""), Placer(stream), start)
    wrong = stream.guards.compare()
    stream.blind, stream.guards, stream.const_check = False, Guards(), const_check
    if const_check:
        stream.wrong = wrong
    elif wrong is not None:
        warnings.warn(f"{stream.name}: {wrong.why}", stacklevel=3)


def open(source, *, order=None, raw=False, base=0, params=None, any_layout=False, const_check=True):
    """Opens a stream: a file, which is mapped, or bytes in memory.

    order: `little` or `big` (or `<`, `>`), of a raw stream whose layout does not say; little-endian
        if none is given.
    raw: the stream has no signature, even if it begins like one; addresses count from 0.
    base: the byte of the file at which the stream starts.
    params: values by name or path, which override fixed params and stand for streamed ones; not
        those of dicts in lists.
    any_layout: whether a stream is read though it carries another layout than that of this module.
    const_check: whether nothing is read of a stream that has another value where the layout has a
        constant; without it, that is a warning.
    """
    if order not in ORDERS:
        raise ValueError(f"the order is {order!r}, expected `little` or `big`")
    order = ORDERS[order]
    if isinstance(source, (bytes, bytearray, memoryview)):
        name, data = "stream", np.frombuffer(source, "u1")
    else:
        name, data = os.fspath(source), np.zeros(0, "u1")
        if os.path.getsize(source):
            data = np.memmap(source, "u1", "r")
    if base < 0:
        raise ValueError(f"the stream starts at byte {base}, expected 0 or more")
    if base > len(data):
        raise StreamError(
            f"{name}: the stream starts at byte {base}, the file has {len(data)}"
        )
    data = data[base:]
    native = None if raw else signature(data, name)
    if native is not None:
        if native[1] < len(data) and not any_layout:
            same_layout(data, native[1], name)
        order, data = native[0], data[: native[1]]
    given = {}
    for path, value in (params or {}).items():
        try:
            value = operator.index(value)
        except TypeError:
            raise TypeError(f"param {path} is {value!r}, expected an integer") from None
        for spelled in spellings(path):
            given.setdefault(spelled if spelled[0] == "/" else f"/{spelled}", (path, value))
    stream = Source(data, ORDER or order or "<", given, name)
    root = Dict(stream, "")
    start = 0 if native is None else 16
    guarded(stream, start, const_check)
    place(root, Placer(stream), start)
    for path in params or {}:
        if path not in stream.used:
            path = path if path.startswith("/") else f"/{path}"
            raise KeyError(f"the layout has no param {path} to give")
    return root
