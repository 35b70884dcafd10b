"""Random texts of YAML with the line breaks of YAML 1.1, and what PyYAML and libyaml read of them, as JSON.

Prints a list of [text, value, plain]: all scalars are text, and `plain` is what is read where line feeds stand for
the other breaks, null where that is refused.
"""

import json
import random
import sys

import yaml

BREAKS = ["\x85", "\u2028", "\u2029"]
PIECES = ["a", "b", "word", " ", " ", "  ", "\n", "\n", "\n\n", ":", "#", "-", "'", '"', "\\", ",", "é", "\t", "1"]


def scalar(rng):
    return "".join(rng.choice(PIECES + BREAKS * 3) for _ in range(rng.randint(0, 9)))


def tree(rng, depth):
    kind = rng.random()
    if depth == 0 or kind < 0.5:
        return scalar(rng)
    if kind < 0.75:
        return [tree(rng, depth - 1) for _ in range(rng.randint(0, 3))]
    return {scalar(rng): tree(rng, depth - 1) for _ in range(rng.randint(0, 3))}


def dumped(rng):
    """What PyYAML writes."""
    dumper = rng.choice([yaml.SafeDumper, yaml.CSafeDumper])
    return yaml.dump(
        {"x": tree(rng, 3)},
        Dumper=dumper,
        allow_unicode=rng.random() < 0.9,
        default_style=rng.choice([None, None, "'", '"', "|", ">"]),
        default_flow_style=rng.choice([None, False, True]),
        width=rng.choice([8, 20, 80, 1000]),
        indent=rng.choice([2, 4]),
        explicit_start=rng.random() < 0.3,
    )


def br(rng, most=2):
    return "".join(rng.choice(BREAKS + ["\n"]) for _ in range(rng.randint(1, most)))


def words(rng, between):
    made = ""
    for _ in range(rng.randint(1, 4)):
        made += rng.choice(["a", "bc", "d e", "f", "x:y", "z#"]) + between()
    return made + "w"


def by_hand(rng):
    """Lines that a person may have written, each with any end."""
    text = rng.choice(["", "", "%YAML 1.1" + br(rng, 1) + "---" + rng.choice([" !t", ""]) + br(rng)])
    for at in range(rng.randint(1, 5)):
        if rng.random() < 0.2:
            text += "# note" + rng.choice(["", " k: 1"]) + br(rng)
        indent = lambda: rng.choice(["", " ", "  ", "    ", "\t"])
        fold = lambda: rng.choice([" ", "", " \t"]) + br(rng, 3) + " " + indent()
        key = f"k{at}"
        if rng.random() < 0.1:
            key = "? " + rng.choice(["'%s'", '"%s"', "%s"]) % words(rng, fold) + br(rng, 1)
        text += key + rng.choice([":", ":", ": &a%d" % at, ": !t", ": !!str"])
        style = rng.randint(0, 7)
        if style == 0:
            text += rng.choice([" ", fold()]) + words(rng, fold) + rng.choice(["", " # c"])
        elif style == 1:
            text += rng.choice([" ", fold()]) + "'" + words(rng, fold).replace("a", "it''s") + rng.choice(["", fold()]) + "'"
        elif style == 2:
            escape = lambda: rng.choice(["\\n", "\\L", "\\\\", '\\"', "\\ ", "\\u2028", fold(), fold(), "\\" + fold().lstrip(" \t")])
            text += rng.choice([" ", fold()]) + '"' + rng.choice(["", fold()]) + words(rng, escape) + '"'
        elif style in (3, 4):
            text += " " + rng.choice("|>") + rng.choice(["", "-", "+", "2", "2+", "-2"]) + rng.choice(["", " ", " # c|+"])
            text += br(rng, 3)
            for _ in range(rng.randint(0, 5)):
                text += "  " + rng.choice(["", "", " ", "\t"]) + words(rng, lambda: rng.choice([" ", "  "])) + br(rng, 3)
            if rng.random() < 0.3:
                text += " " * rng.randint(0, 2) + br(rng)
        elif style == 5:
            item = lambda: rng.choice(["a", "'b'", "k: v", '"x%sy"' % fold(), "p%sq" % fold(), "[c]", "# n" + br(rng) + "d"])
            text += " [" + ("," + rng.choice(["", " ", fold()])).join(item() for _ in range(3)) + rng.choice(["", fold()]) + "]"
        elif style == 6:
            text += br(rng) + "".join("- " + words(rng, lambda: " ") + br(rng) for _ in range(2))
        else:
            text += br(rng) + "".join(f"  i{at}: v" + rng.choice(["", " # c"]) + br(rng) for at in range(2))
        text += br(rng)
    return text


def read(text):
    """What both read, if that is the same; None if it is refused."""
    values = []
    for loader in (yaml.BaseLoader, yaml.CBaseLoader):
        # Tags mean nothing here.
        loader = type("Loader", (loader,), {})
        loader.add_multi_constructor("", lambda self, tag, node: value(node))
        try:
            values.append(value(loader(text).get_single_node()))
        except (yaml.YAMLError, ValueError):
            values.append(None)
    return values[0] if values[0] == values[1] else None


def value(node):
    if isinstance(node, yaml.ScalarNode):
        return node.value
    if isinstance(node, yaml.SequenceNode):
        return [value(item) for item in node.value]
    if node is None:
        return ""
    return {json.dumps(value(key), ensure_ascii=False, separators=(",", ":")): value(item) for key, item in node.value}


def main():
    rng = random.Random(int(sys.argv[1]))
    cases = []
    while len(cases) < int(sys.argv[2]):
        text = rng.choice([dumped, by_hand, by_hand])(rng)
        if not text.endswith("\n"):
            text += "\n"
        found = read(text)
        if found is None:
            continue
        plain = text
        for other in BREAKS:
            plain = plain.replace(other, "\n")
        cases.append([text, found, read(plain)])
    print(json.dumps(cases))


main()
