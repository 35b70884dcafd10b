"""Says what a module answers to keys of `params`, a line for each."""

import sys

sys.path.insert(0, ".")

import params  # noqa: E402

data = bytes(range(1, 20))
stream = params.open(data, raw=True)
print(list(stream.params), list(stream.d.params), list(stream.l[1].params))
print([path for path, _ in stream.walk()])
for key in [
    "N", "/N", ":N", "/:N", "d/N", "/d/N", "/d/:N", "d/N#2", "/d/:N#2", "p q", "d/p q",
    '/d/"p q"', '/d/:"p q"', '/d/"x/y"', "c#2", '"c#2"', '"\\u202e"', "\u202e", "d/e/K",
    "/l/1/M", "/l/:1/M", "l/-1/g/K", "/l/3/g/:K", "/l/[1 + 2*i]/M", "/l/[2*i]/g/K", "M", "g/K",
    "/l/0/M", "/l/9/M", "/l/M", "d/O", "e/K", '"', '"\\q"/N', "", "/", 3,
]:  # fmt: skip
    try:
        assert (key in stream.params) == (stream.params.get(key) is not None)
        found = stream.params[key]
    except Exception as error:
        found = f"{type(error).__name__}: {error.args[0]}"
    print(ascii(key), ascii(found))
for key in ["N", "e/K", "/d/N", "/N", "O"]:
    try:
        found = stream.d.params[key]
    except KeyError as error:
        found = error.args[0]
    print("d", key, found)
for path in ["/l/[1 + 2*i]/M", "/l/[i]", '/"\\u2028\\u0085"', '/"\u2028\x85"', "/\u2028\x85"]:
    try:
        found = stream.item(path)
    except KeyError as error:
        found = error.args[0]
    print(ascii(path), found)
for key in ["/d/N", "/d/:N", "d/N", 'd/"x/y"', "d/p q", "c#2", "\u202e", '"\\u202e"', "d/N#2", "N#1"]:
    given = params.open(data, raw=True, params={key: 0}).params
    print(ascii(key), [name for name in given if given[name] == 0])
