#: A part of a path: what stands between slashes that are in no quotes.
BETWEEN = r'(?:"(?:[^"\\]|\\.)*"|[^/"])+'
#: The name of a param in a path: quoted or not, and which of its declarations it is.
LABEL = re.compile(r':?(?:("(?:[^"\\]|\\.)*")|(.*?))(?:#([0-9]+))?', re.DOTALL)


def plain(part):
    """The name that a part of a path is."""
    return json.loads(part, strict=False) if part.startswith('"') else part


def spellings(path):
    """What a path of a param may mean, spelled as listings do: a path, or else all of it is a name.

    `d/N`, `d/:N` and `"d"/"N"` are one param; what begins with a slash keeps it.
    """
    *parts, label = re.findall(BETWEEN, path) or [""]
    literal, name, number = LABEL.fullmatch(label).groups()
    number = f"#{int(number)}" if number and int(number) > 1 else ""
    try:
        # Numbers and indices are of lists.
        parts = [
            part if part[0] == "[" or part.isdecimal() else quoted(plain(part))
            for part in parts
        ]
        parts.append(quoted(plain(literal or name)) + number)
        yield ("/" if path.startswith("/") else "") + "/".join(parts)
    except ValueError:
        # No JSON within quotes.
        pass
    yield quoted(path)


class Params(dict):
    """The params of a dict and of the dicts below: integers by name or path (`N`, `d/N`, `N#2`).

    Keys are also what listings print, such as `/d/:N`, and paths through lists, such as `/l/2/N`: there
    is one such param for each item, so that those are not iterated over.
    """

    def __init__(self, home):
        prefix = home._prefix
        below = home._known.items()
        super().__init__(
            (path.removeprefix(prefix), value)
            for path, value in below
            if path.startswith(prefix)
        )
        self._home = home

    def names(self, path):
        """The names that values of a param have, as a dict."""
        params, name = self._place(path)
        return params._home._named.get(params._home._prefix + name, {})

    def __getitem__(self, path):
        value = self._found(path)
        if isinstance(value, Fault):
            raise StreamError(value.why)
        return value

    def __contains__(self, path):
        try:
            self._found(path)
        except (KeyError, IndexError):
            return False
        return True

    def get(self, path, default=None):
        return self[path] if path in self else default

    def _found(self, path):
        """The value at a path, or the fault that stands for it."""
        params, name = self._place(path)
        return dict.__getitem__(params, name)

    def _place(self, path):
        """The params that have the one at a path, and its name there."""
        home = self._home
        for spelled in spellings(str(path)):
            name = spelled.removeprefix(home._prefix)
            if dict.__contains__(self, name):
                return self, name
        spelled = next(spellings(str(path))).removeprefix(home._prefix)
        *dicts, label = re.findall(BETWEEN, spelled)
        if any(part.startswith("[") for part in dicts):
            raise KeyError(
                f"`{path}`: each repetition has one, such as `{instance(path)}`"
            )
        if spelled.startswith("/"):
            raise KeyError(f"`{spelled}` is not in `{home._path}`")
        if dicts:
            node = home.item("/".join(dicts))
            if isinstance(node, Item):
                raise KeyError(f"`{node.path}` is an array, there is no `{label}` in it")
            if isinstance(node, Dict):
                return node.params._place(label)
        why = f"there is no param `{label}` in `{home._path or '/'}`"
        repeated = home._source.repeated.get(label)
        if repeated is not None:
            raise KeyError(f"{why}: each repetition has one, such as `{repeated}`")
        named = ", ".join(f"`{name}`" for name in list(self)[:16])
        more = ", …" if len(self) > 16 else ""
        raise KeyError(f"{why}, which has {named or 'none'}{more}")
