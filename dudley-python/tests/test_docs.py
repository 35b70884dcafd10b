"""What the documentation shows runs."""

import doctest
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
    assert doctest.testmod(dudley).failed == 0


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
