"""Assertions about runs. What the telemetry does not tell is never a pass."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from ._run import Run


def assert_uses_tools(run: Run, names: Sequence[str]) -> None:
    """All of these tools were used, in any order, others beside them."""
    __tracebackhide__ = True
    _assert(run, "uses_tools", list(names))


def assert_uses_exactly_tools(run: Run, names: Sequence[str]) -> None:
    """These tools were used and no other, in this order."""
    __tracebackhide__ = True
    _assert(run, "uses_exactly_tools", list(names))


def assert_hands_off_to(run: Run, agents: Sequence[str]) -> None:
    """These hand-offs and no other, in this order."""
    __tracebackhide__ = True
    _assert(run, "hands_off_to", list(agents))


def assert_answers_with(run: Run, text: str) -> None:
    """The answer has this text in it, whatever the case."""
    __tracebackhide__ = True
    _assert(run, "answers_with", text)


def assert_costs_less_than(run: Run, usd: float) -> None:
    """The cost is known and lower."""
    __tracebackhide__ = True
    _assert(run, "costs_less_than", usd)


def assert_uses_fewer_tokens_than(run: Run, tokens: int) -> None:
    """The tokens are known and fewer."""
    __tracebackhide__ = True
    _assert(run, "uses_fewer_tokens_than", tokens)


def assert_matches_spec(run: Run, query: str, spec: str | os.PathLike[str]) -> None:
    """No check of the spec's query fails or is left open; warnings pass."""
    __tracebackhide__ = True
    judged = run.judged(query, spec)
    if judged["result"]["summary"]["exit_code"] != 0:
        (verdict,) = judged["result"]["verdicts"]
        # The first line is what pytest's summary shows.
        raise AssertionError(f"{reason_of(verdict)}\n{report_text(judged)}")


def reason_of(verdict: dict[str, Any]) -> str:
    """One line: what the checks say that have the verdict's outcome."""
    # A check of path or cost that failed makes a warning of the verdict.
    decisive = {"warn", "fail"} if verdict["outcome"] == "warn" else {verdict["outcome"]}
    layers = verdict["layers"].values()
    messages = [check["message"] for layer in layers for check in layer["checks"] if check["outcome"] in decisive]
    return "; ".join(messages or [layer["reason"] for layer in layers if layer["outcome"] in decisive])


def report_text(judged: dict[str, object]) -> str:
    """The report about one run, without the counts that end it."""
    text = str(judged["report"]).rstrip().rpartition("\n\n")[0]
    warnings = str(judged["warnings"]).rstrip()
    return f"{text}\n{warnings}" if warnings else text


def _assert(run: Run, name: str, expected: object) -> None:
    __tracebackhide__ = True
    holds, message = run.checked(name, expected)
    if not holds:
        raise AssertionError(message)
