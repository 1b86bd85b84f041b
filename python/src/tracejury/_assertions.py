"""Assertions about runs. An assertion fails if the telemetry lacks the value."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from ._run import Run


def assert_uses_tools(run: Run, names: Sequence[str]) -> None:
    """Asserts that the run called each of these tools, in any order, perhaps with others."""
    __tracebackhide__ = True
    _assert(run, "uses_tools", list(names))


def assert_uses_exactly_tools(run: Run, names: Sequence[str]) -> None:
    """Asserts that the run made these calls and no others, in this order."""
    __tracebackhide__ = True
    _assert(run, "uses_exactly_tools", list(names))


def assert_hands_off_to(run: Run, agents: Sequence[str]) -> None:
    """Asserts that the run handed over to these agents and no others, in this order."""
    __tracebackhide__ = True
    _assert(run, "hands_off_to", list(agents))


def assert_answers_with(run: Run, text: str) -> None:
    """Asserts that the answer contains this text; upper and lower case are equal."""
    __tracebackhide__ = True
    _assert(run, "answers_with", text)


def assert_costs_less_than(run: Run, usd: float) -> None:
    """Asserts that the cost of the run, in US dollars, is known and lower."""
    __tracebackhide__ = True
    _assert(run, "costs_less_than", usd)


def assert_uses_fewer_tokens_than(run: Run, tokens: int) -> None:
    """Asserts that the number of tokens of the run is known and lower."""
    __tracebackhide__ = True
    _assert(run, "uses_fewer_tokens_than", tokens)


def assert_matches_spec(run: Run, query: str, spec: str | os.PathLike[str]) -> None:
    """Asserts that no check of the query in the spec fails or is undecided; warnings pass."""
    __tracebackhide__ = True
    judged = run.judged(query, spec)
    if judged["result"]["summary"]["exit_code"] != 0:
        (verdict,) = judged["result"]["verdicts"]
        # pytest's summary shows only the first line.
        raise AssertionError(f"{reason_of(verdict)}\n{report_text(judged)}")


def reason_of(verdict: dict[str, Any]) -> str:
    """Returns one line with the messages of the checks that decided the verdict."""
    # By default, a violated check of path or cost makes the verdict only a warning.
    decisive = {"warn", "fail"} if verdict["outcome"] == "warn" else {verdict["outcome"]}
    layers = verdict["layers"].values()
    messages = [check["message"] for layer in layers for check in layer["checks"] if check["outcome"] in decisive]
    return "; ".join(messages or [layer["reason"] for layer in layers if layer["outcome"] in decisive])


def report_text(judged: dict[str, object]) -> str:
    """Returns the report of one run, without the counts at its end."""
    text = str(judged["report"]).rstrip().rpartition("\n\n")[0]
    warnings = str(judged["warnings"]).rstrip()
    return f"{text}\n{warnings}" if warnings else text


def _assert(run: Run, name: str, expected: object) -> None:
    __tracebackhide__ = True
    holds, message = run.checked(name, expected)
    if not holds:
        raise AssertionError(message)
