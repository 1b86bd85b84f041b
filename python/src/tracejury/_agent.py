"""The agent under test: a callable of the user's."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

from ._errors import TracejuryError

Agent = Callable[[str], Any]
"""Takes a query; returns the answer, anything else, or an awaitable of it."""


def split_agent(name: str) -> tuple[str, str]:
    """The module and the function that `module:function` names. Raises `TracejuryError` for anything else."""
    module_name, separator, path = name.partition(":")
    if not (module_name and separator and path):
        raise TracejuryError(f"{name} is no agent: write module:function, as in my_agent:ask")
    return module_name, path


def load_agent(name: str) -> Agent:
    """The callable that `module:name` means. Raises `TracejuryError` when there is none."""
    module_name, path = split_agent(name)
    try:
        found: Any = importlib.import_module(module_name)
    except ModuleNotFoundError as error:
        # A module that the agent's own module needs is the user's to find in the traceback.
        if error.name is None or not (module_name + ".").startswith(error.name + "."):
            raise
        where = "it is looked for in the folder that pytest was started in, and on sys.path"
        raise TracejuryError(f"{name} is no agent: there is no module {error.name}\n{where}") from None
    for part in path.split("."):
        if not hasattr(found, part):
            raise TracejuryError(f"{name} is no agent: {module_name} has no {path}")
        found = getattr(found, part)
    if not callable(found):
        raise TracejuryError(f"{name} is no agent: it cannot be called")
    agent: Agent = found
    return agent
