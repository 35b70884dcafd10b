"""What the documentation shows runs."""

import doctest
import os
import re
import warnings
from pathlib import Path

import numpy as np
import pytest

import dudley

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent


def scripts():
    """The scripts with this package in the README and the book, by page and name."""
    pages = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    for page in pages:
        blocks = re.findall(r"^```python (\S+)\n(.*?)^```", page.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
        for name, script in blocks:
            if "import dudley" in script or 'engine="dudley"' in script:
                yield pytest.param(name, script, id=f"{page.name}-{name}")


def test_readme():
    assert doctest.testfile(str(HERE.parent / "README.md"), module_relative=False).failed == 0


@pytest.mark.parametrize(("name", "script"), list(scripts()))
def test_page(name, script, tmp_path, monkeypatch):
    for package in ("xarray", "dask", "fsspec", "pandas"):
        if package in script:
            pytest.importorskip(package)
    monkeypatch.chdir(tmp_path)
    tree = {
        "rho": np.ones((50, 100)),
        "mesh": {"x": np.arange(9.0)},
        "history": [{"t": float(at)} for at in range(3)],
    }
    dudley.write("run.bd", tree, units={"/rho": "g/cc"})
    (tmp_path / "run.raw").write_bytes(bytes(24))
    (tmp_path / "runs").mkdir()
    for at in range(2):
        x = np.full((1, 2), float(at))
        dudley.write(f"runs/{at}.bd", {"x": x}, params={"cycle": at}, dims={"/x": ["one", "i"]})
    warnings.simplefilter("ignore")
    exec(compile(script, name, "exec"), {})


def examples():
    """The examples in the docstrings of all that is public, by name."""
    yield "dudley", dudley.__doc__
    for name in dudley.__all__:
        found = getattr(dudley, name)
        yield name, found.__doc__
        if isinstance(found, type):
            yield from ((f"{name}.{member}", it.__doc__) for member, it in vars(found).items() if not member.startswith("_"))


def test_all_that_is_public_has_an_example():
    assert [name for name, doc in examples() if ">>>" not in (doc or "")] == []


@pytest.mark.parametrize(("name", "doc"), [pytest.param(name, doc, id=name) for name, doc in examples()])
def test_example(name, doc, tmp_path, monkeypatch):
    for package in ("pandas", "xarray"):
        if package in doc:
            pytest.importorskip(package)
    monkeypatch.chdir(tmp_path)
    tree = {
        "rho": np.arange(12.0).reshape(3, 4),
        "mesh": {"x": np.arange(9.0), "zones": np.int64(8)},
        "history": [{"t": 0.5 * at} for at in range(3)],
    }
    docs = {"/rho": "density", "/mesh": "where the zones are"}
    said = dict(units={"/rho": "g/cc"}, docs=docs, attrs={"/rho": {"source": "run 7"}}, dims={"/rho": ["y", "x"]})
    dudley.write("run.bd", tree, params={"cycle": 7}, **said)
    with dudley.create("grow.bd", "N : i8  history = [/ t = f8]*N", N=3) as file:
        file["history"][:] = {"t": [0.0, 0.5, 1.0]}
    (tmp_path / "runs").mkdir()
    for at in range(2):
        dudley.write(f"runs/{at}.bd", {"x": np.full((1, 2), float(at))}, params={"cycle": at}, dims={"/x": ["one", "i"]})
    test = doctest.DocTestParser().get_doctest(doc, {"dudley": dudley, "np": np, "os": os}, name, None, 0)
    said = []
    doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test, out=said.append)
    assert not said, "".join(said)
