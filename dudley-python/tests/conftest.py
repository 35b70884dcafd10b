import os
from pathlib import Path

import pytest


def corpus() -> Path | None:
    found = os.environ.get("DUDLEY_CORPUS")
    return Path(found) if found else None


@pytest.fixture
def foreign() -> Path:
    found = corpus()
    if found is None:
        pytest.skip("DUDLEY_CORPUS is not set")
    return found / "foreign"
