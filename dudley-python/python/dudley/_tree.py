"""What is in a file, as texts for people."""

from __future__ import annotations

from html import escape
from typing import Any, Iterator

from ._native import Array, Dict, List

#: Items of a list that are shown.
ITEMS = 3
#: Lines of a page that are shown.
LINES = 500


def _said(item: Any) -> str:
    if isinstance(item, Array):
        shape = f"[{', '.join(map(str, item.shape))}]" if item.shape else ""
        unit = f" ({item.unit})" if item.unit else ""
        doc = item.doc.splitlines()[0] if item.doc else ""
        return f"{item.dtype_name or 'value'}{shape}{unit}  {doc}".rstrip()
    if isinstance(item, List):
        return f"list of {len(item)}"
    if isinstance(item, Dict):
        return item.doc.splitlines()[0] if item.doc else ""
    text = repr(item)
    return text if len(text) <= 60 else f"{text[:57]}..."


def _rows(item: Any, name: str, depth: int, deepest: int | None) -> Iterator[tuple[int, str, str]]:
    yield depth, name, _said(item)
    if deepest is not None and depth >= deepest:
        return
    if isinstance(item, Dict):
        for key, value in item.params.items():
            yield depth + 1, f":{key}", repr(value)
        for key, value in item.items():
            yield from _rows(value, key, depth + 1, deepest)
    elif isinstance(item, List):
        for at in range(min(ITEMS, len(item))):
            yield from _rows(item[at], str(at), depth + 1, deepest)
        if len(item) > ITEMS:
            yield depth + 1, "…", f"{len(item) - ITEMS} more"


def tree(item: Any, depth: int | None = None) -> str:
    """A line for each thing below a dict, indented."""
    rows = _rows(item, item.path, 0, depth)
    return "\n".join(f"{'  ' * at}{name}  {said}".rstrip() for at, name, said in rows)


def html(item: Any) -> str:
    """The same as a table for notebooks."""
    lines = []
    for at, (depth, name, said) in enumerate(_rows(item, item.path, 0, None)):
        if at == LINES:
            lines.append("<tr><td>…</td><td></td></tr>")
            break
        indent = f"padding-left:{depth * 1.2:.1f}em"
        lines.append(
            f'<tr><td style="text-align:left;{indent}">{escape(name)}</td>'
            f'<td style="text-align:left">{escape(said)}</td></tr>'
        )
    return f"<table><tbody>{''.join(lines)}</tbody></table>"
