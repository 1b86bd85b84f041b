"""The agent under test: a callable of the user's."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

from ._errors import TracejuryError

Agent = Callable[[str], Any]
"""Takes a query; returns the answer, anything else, or an awaitable of it."""


def load_agent(name: str) -> Agent:
    """The callable that `module:name` means. Raises `TracejuryError` when there is none."""
    module_name, separator, path = name.partition(":")
    if not (module_name and separator and path):
        raise TracejuryError(f"{name} is no agent: write module:function, as in my_agent:ask")
    found: Any = importlib.import_module(module_name)
    for part in path.split("."):
        if not hasattr(found, part):
            raise TracejuryError(f"{name} is no agent: {module_name} has no {path}")
        found = getattr(found, part)
    if not callable(found):
        raise TracejuryError(f"{name} is no agent: it cannot be called")
    agent: Agent = found
    return agent
