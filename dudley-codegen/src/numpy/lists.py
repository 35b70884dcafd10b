class Items:
    """The items of one repetition of a list as they are placed."""

    def __init__(self, path, first):
        self.path = path
        self.first = first
        self.nodes = []

    def add(self, node):
        self.nodes.append(node)
        return node


class List:
    """Items by number: `stream.times[3]`; `stream.times.item(3)` says where it is. Columns by name: what all items
    have at a path, `stream.hist["t"]`, is one array."""

    def __init__(self, path, whole=None):
        self._path = path
        self._whole = whole
        self._pieces = []
        self._length = 0
        self._fault = None

    def __len__(self):
        return self._length

    def __iter__(self):
        return (self[at] for at in range(len(self)))

    def __getitem__(self, at):
        if isinstance(at, str):
            items = self.column("" if self._length and self._has_fields(self._node(0), at) else at)
            return items.value if items.below else items.value[at]
        if isinstance(at, slice):
            return [self[one] for one in range(*at.indices(len(self)))]
        return shown(self.item(at))

    def _has_fields(self, node, name):
        """Whether an item is of structs of one size, with a field of a name."""
        if not isinstance(node, Item) or node.kind.varying:
            return False
        return name in (node.kind.field(())[0].names or ())

    def _node(self, at):
        at = at + len(self) if at < 0 else at
        for first, length, piece in self._pieces:
            if first <= at < first + length:
                return piece.node(self._path, first, at - first)
        if self._fault is not None:
            raise StreamError(f"{self._path}: {self._fault.why}")
        raise IndexError(f"{self._path} has {len(self)} items, there is no {at}")

    item = _node

    @property
    def value(self):
        """Of blocks that are one array: its elements, as one of numpy."""
        if self._whole is None:
            raise StreamError(f"{self._path} is a list: its items have numbers")
        if self._fault is not None:
            raise StreamError(f"{self._path}: {self._fault.why}")
        blocks = [self._node(at) for at in range(len(self))]
        # Where nothing is there, what would be is known all the same.
        like = blocks[0] if blocks else self._pieces[0][2].node(self._path, 0, 0)
        return like.kind.value(self._whole.array(blocks, like), (), self._whole.shape)

    def column(self, below, some=slice(None)):
        """What the items, or some, have at a path below them: a `Column`."""
        if self._fault is not None:
            raise StreamError(f"{self._path}: {self._fault.why}")
        return Column(self, range(len(self))[some], below)

    def walk(self):
        """All arrays below: pairs of path and item."""
        for at in range(len(self)):
            node = self._node(at)
            yield from node.walk() if hasattr(node, "walk") else [(node.path, node)]


class Piece:
    """Items that occur a number of times in a row, and where each repetition starts."""

    def __init__(self, at, body, starts, stride, width, varying, alike=False, survey=None):
        self.varying = varying
        self.survey = survey
        # Whether its params say nothing of where something lies, and how long it is.
        self.alike = alike
        self.at = at
        self.body = body
        self.starts = starts
        self.stride = stride
        self.width = width
        self.latest = None, []

    def start(self, repetition):
        """Where the cursor stands before a repetition."""
        last = len(self.starts) - 1
        if repetition <= last:
            return self.starts[repetition]
        if isinstance(self.stride, Fault):
            return self.stride
        return self.starts[last] + (repetition - last) * self.stride

    def node(self, path, first, at):
        """An item by its number in the piece."""
        repetition, part = divmod(at, self.width)
        if self.latest[0] != repetition:
            items = Items(path, first + repetition * self.width)
            self.body(items, self.at, self.start(repetition))
            self.latest = repetition, items.nodes
        return self.latest[1][part]


class Survey(Placer):
    """Where the arrays and params of the repetitions of a list lie which differ in size: places them, and makes none."""

    def __init__(self, at):
        super().__init__(at.source, at.base)
        # By path, which is the same in all repetitions: type and shape of the first, and the addresses of all.
        self.places = {}
        # Those of which not all are of one type and shape, at an address.
        self.odd = set()

    def see(self, path, element, shape, place):
        """Remembers where something lies."""
        address = self.absolute(place)
        first, addresses = self.places.setdefault(path, ((element, shape), array("q")))
        if (element, shape) != first or isinstance(address, Fault):
            self.odd.add(path)
        else:
            addresses.append(address)

    def param(self, home, name, element, place, *, names=None, const=None):
        if not isinstance(home, Dict):
            return super().param(home, name, element, place, names=names, const=const)
        path = home._prefix + name
        self.see(path, element, [], place)
        return self.source.param(path, self.source.kind(element), self.absolute(place), const)

    def array(self, home, name, element, shape, place, nbytes, *, spliced=False, **more):
        if name is None:
            path = f"{home.path}/{home.first + len(home.nodes)}"
            home.add(None)
        else:
            path = home._prefix + quoted(name)
        if not spliced:
            self.see(path, element, shape, place)

    def addresses(self, path, count):
        """Where the arrays of a path lie, if there is one in each repetition, and all are alike."""
        _, addresses = self.places.get(path, (None, ()))
        if path in self.odd or len(addresses) != count:
            return None
        return np.frombuffer(addresses, "i8")


def new_list(at, home, name, whole=None):
    """A list of a dict, made or extended; without a name one of a list."""
    if name is None:
        return home.add(List(f"{home.path}/{home.first + len(home.nodes)}", whole))
    if name not in home._nodes:
        home._nodes[name] = List(home._prefix + quoted(name), whole)
    return home._nodes[name]


def repeat(at, items, count, body, width, here, *, phase=None, varying=False, alike=False):
    """Places the items of a body so many times in a row; where the cursor stands behind them.

    The first repetition may differ from the others by its padding; where all start at the same
    remainder of `phase`, the greatest alignment, none does.
    """
    if isinstance(count, Fault):
        items._fault = count
        return count
    if count == 0 or width == 0:
        if width:
            # Nothing is there; what would be is known all the same.
            nothing = Piece(at, body, [here], 0, width, varying)
            items._pieces.append((items._length, 0, nothing))
        return here
    starts = [here]
    survey = Survey(at) if varying else None
    if varying:
        # What is said of params is said once.
        body(Items(items._path, items._length), at, here)
    for done in range(1, count + 1 if varying else min(count, 2) + 1):
        starts.append(body(Items(items._path, items._length), survey or at, starts[-1]))
        faulty = isinstance(starts[-1], Fault) or isinstance(starts[-2], Fault)
        if done > 1 and (faulty or starts[-1] == starts[-2]):
            break
        if (
            phase
            and not varying
            and not faulty
            and (starts[1] - starts[0]) % phase == 0
        ):
            break
    faults = [start for start in starts[-2:] if isinstance(start, Fault)]
    stride = faults[0] if faults else starts[-1] - starts[-2]
    piece = Piece(at, body, starts, stride, width, varying, alike, survey)
    items._pieces.append((items._length, count * width, piece))
    items._length += count * width
    behind = piece.start(count)
    return behind if isinstance(behind, Fault) else reach(behind)
