"""Loads the agent under test, a function of the user."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

from ._errors import TracejuryError

Agent = Callable[[str], Any]
"""Takes a query; returns the answer, anything else, or an awaitable of it."""


def split_agent(name: str) -> tuple[str, str]:
    """Returns module and function of the text `module:function`. Raises `TracejuryError` for any other text."""
    module_name, separator, path = name.partition(":")
    if not (module_name and separator and path):
        raise TracejuryError(f"{name} is not an agent: write module:function, such as my_agent:ask")
    return module_name, path


def load_agent(name: str) -> Agent:
    """Imports the function that `module:function` names. Raises `TracejuryError` if it does not exist."""
    module_name, path = split_agent(name)
    try:
        found: Any = importlib.import_module(module_name)
    except ModuleNotFoundError as error:
        # If the agent's module exists and imports a missing module, the traceback shows the user which one.
        if error.name is None or not (module_name + ".").startswith(error.name + "."):
            raise
        fix = "start pytest in the folder of the module, or add this folder to sys.path"
        raise TracejuryError(f"agent {name} not found: there is no module {error.name}\n{fix}") from None
    for part in path.split("."):
        if not hasattr(found, part):
            raise TracejuryError(f"agent {name} not found: module {module_name} has no {path}")
        found = getattr(found, part)
    if not callable(found):
        raise TracejuryError(f"{name} is not an agent: it cannot be called; name a function")
    agent: Agent = found
    return agent
