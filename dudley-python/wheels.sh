#!/usr/bin/env bash
# Makes wheels in dudley-python/target/wheels: one for this machine, and with the package ziglang one for any Linux of the last ten years.
set -euo pipefail
cd "$(dirname "$0")"
python3 -m pip install --quiet "maturin>=1.9,<2"
if python3 -c "import ziglang" 2> /dev/null; then
    python3 -m maturin build --release --zig --compatibility manylinux2014
else
    python3 -m maturin build --release
fi
ls -l target/wheels
