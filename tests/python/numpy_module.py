"""Reads streams through the modules made of their layouts, and says what differs from the engine.

Prints the number of items that were compared, then a line for each difference.
"""

import importlib
import json
import pathlib
import re
import struct
import sys
import warnings

import numpy as np

warnings.simplefilter("error")
sys.path.insert(0, ".")


def spelled(value):
    """A value as the engine's are spelled: floats by their bits, complex numbers as pairs."""
    if isinstance(value, complex):
        return [spelled(value.real), spelled(value.imag)]
    if isinstance(value, float):
        return "nan" if value != value else struct.pack("<d", value).hex()
    if isinstance(value, list):
        return [spelled(one) for one in value]
    if isinstance(value, dict):
        return {name: spelled(one) for name, one in value.items()}
    return value


def expected(value):
    """The same for what the engine wrote."""
    if isinstance(value, str) and value in ("inf", "-inf"):
        return spelled(float(value))
    if isinstance(value, list):
        return [expected(one) for one in value]
    if isinstance(value, dict):
        return {name: expected(one) for name, one in value.items()}
    return spelled(value)


def texts(value):
    """Texts that are spelled as numbers look alike on both sides."""
    return expected(spelled(value)) if isinstance(value, (list, dict, str)) else spelled(value)


def compare(module, case, stream):
    how = dict(case["how"])
    if how.get("order") not in ("<", ">"):
        how.pop("order", None)
    root = module.open(stream, **how)
    for row in case["items"]:
        yield from item(module, root, row)
    for path, value in case["params"].items():
        for spelled in (path, path[1:]):
            try:
                found = root.params[spelled]
            except module.StreamError:
                found = "fault"
            if found != value:
                yield f"param {spelled}: {found}, not {value}"
    yield from columns(module, root)
    # All that have one value are there, spelled as listings do.
    if [f"/{path}" for path in root.params] != case["single"]:
        yield f"params {list(root.params)}, not {case['single']}"
    # Items are, too, unless lists are not listed whole or something cannot be placed.
    names = sorted(row["path"] for row in case["items"])
    if case["whole"] and all("value" in row for row in case["items"]):
        found = sorted(path for path, _ in root.walk())
        if found != names:
            yield f"{found}, not {names}"


def columns(module, root):
    """What all items of a list have at a path below is what each has."""
    if not hasattr(module, "List"):
        return
    seen = set()
    for path, found in root.walk():
        parts = [at for at in re.finditer(r"/([0-9]+)(?=/|$)", path)]
        for at in parts:
            home, below = path[: at.start()], path[at.end() + 1 :]
            items = module.descend(root, home) if home else None
            if not isinstance(items, module.List) or len(items) > 40 or (home, below) in seen:
                continue
            seen.add((home, below))
            for some in (slice(None), slice(1, None, 2), slice(None, None, -1), slice(2, 0, -2)):
                yield from column(module, items, below, some)


def column(module, items, below, some):
    numbers = range(len(items))[some]
    try:
        each = [module.descend(items._node(at), below).tolist() for at in numbers]
        values = [module.descend(items._node(at), below).value for at in numbers]
        if any(isinstance(value, (list, dict)) for value in values):
            return
        values = [np.asarray(value) for value in values]
        alike = len({(it.shape, "U" if it.dtype.kind == "U" else it.dtype) for it in values}) < 2
    except (module.StreamError, LookupError, AttributeError):
        each, alike = None, True
    try:
        found = items.column(below, some)
        value = found.value
        parts = list(found.parts(numbers[::-1] if numbers.step < 0 else numbers))
    except (module.StreamError, LookupError) as error:
        if each is not None and alike:
            yield f"{items._path}[{some}]/{below}: {error}, not {each}"
        return
    if each is None or not alike or len(value) != len(numbers):
        yield f"{items._path}[{some}]/{below}: {value}, not {each}"
        return
    # What stands for several at once is compared with each of them.
    at, each = 0, each[::-1] if numbers.step < 0 else each
    for part in parts:
        if isinstance(part, module.Item):
            if texts(part.tolist()) != texts(each[at : at + len(part.value)]):
                yield f"{part.path}: {part.tolist()}, not {each}"
        at += len(part.value)


def item(module, root, row):
    path = row["path"]
    try:
        found = root.item(path)
        value = found.tolist()
        seen = found.value
        del seen
    except module.StreamError as error:
        if "value" in row:
            yield f"{path}: {error}, not {row}"
        return
    if "value" not in row:
        if row.get("bytes", 0) < 1 << 20:
            yield f"{path}: {value}, but an error was expected"
        return
    if list(found.shape) != row["shape"] or found.nbytes != row["bytes"]:
        yield f"{path}: {found!r}, not {row}"
    elif row["bytes"] and found.address != row["address"]:
        yield f"{path}: at {found.address}, not {row}"
    elif texts(value) != expected(row["value"]):
        yield f"{path}: {value}, not {row}"


count = 0
lines = []
for path in sorted(pathlib.Path(".").glob("*.json")):
    case = json.loads(path.read_text())
    count += len(case["items"])
    try:
        module = importlib.import_module(path.stem)
        differ = list(compare(module, case, path.with_suffix(".bin")))
    except Exception as error:
        raise RuntimeError(f"{path.stem}:\n{case['layout']}") from error
    if differ:
        lines.append(f"{path.stem}: {differ[0]}\n{case['layout']}")
print(count)
print("\n".join(lines[:5]), end="")
if lines:
    print(f"\n{len(lines)} differ")
