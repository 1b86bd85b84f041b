"""A run of an agent."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import Any

from ._session import SessionProcess


@dataclass(frozen=True)
class Run:
    """One run of an agent, read from its telemetry. An unknown value is None, never zero or empty."""

    data: dict[str, Any] = field(repr=False)
    """All known values, as `tracejury inspect --format json` writes them."""
    returned: object
    """The return value of the agent."""
    _session: SessionProcess = field(repr=False, compare=False)

    @property
    def run_id(self) -> str:
        return str(self.data["run_id"])

    @property
    def query(self) -> str | None:
        return _text(self.data["query"])

    @property
    def answer(self) -> str | None:
        """The answer in the telemetry; if there is none, the text that the agent returned."""
        return _text(self.data["answer"])

    @property
    def error(self) -> str | None:
        """The error message, if the run ended in an error."""
        return _text(self.data["error"])

    @property
    def tools(self) -> list[str | None]:
        """Names of the called tools, in order; None if the telemetry lacks a name."""
        return [call["name"] for call in self.data["tools"] if call["executed"] is not False]

    @property
    def total_tokens(self) -> int | None:
        tokens: int | None = self.data["total_tokens"]
        return tokens

    @property
    def cost_usd(self) -> float | None:
        cost: float | None = self.data["cost_usd"]
        return cost

    def judged(self, query: str, spec: str | os.PathLike[str]) -> dict[str, Any]:
        """Judges this run by a query of a spec file. Returns `result`, `report` and `warnings`, as `tracejury test` writes them."""
        __tracebackhide__ = True
        result: dict[str, Any] = self._session.request("judge", runs=[self.run_id], spec=os.fspath(spec), query=query)
        return result

    def checked(self, name: str, expected: object) -> tuple[bool, str]:
        """Returns whether an assertion passes, and its message."""
        __tracebackhide__ = True
        result = self._session.request("check", run=self.run_id, check={"name": name, "expected": expected})
        return result["pass"], result["message"]


def _text(value: object) -> str | None:
    return None if value is None else str(value)
