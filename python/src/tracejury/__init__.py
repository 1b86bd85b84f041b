"""Assertions and types for tests of AI agents. The pytest fixture `tracejury` calls an agent and returns its run."""

from ._assertions import (
    assert_answers_with,
    assert_costs_less_than,
    assert_hands_off_to,
    assert_matches_spec,
    assert_uses_exactly_tools,
    assert_uses_fewer_tokens_than,
    assert_uses_tools,
)
from ._errors import NoRunError, NotRecordedError, TracejuryError, TracejuryWarning
from ._run import Run
from ._tracejury import Tracejury

__all__ = [
    "NoRunError",
    "NotRecordedError",
    "Run",
    "Tracejury",
    "TracejuryError",
    "TracejuryWarning",
    "assert_answers_with",
    "assert_costs_less_than",
    "assert_hands_off_to",
    "assert_matches_spec",
    "assert_uses_exactly_tools",
    "assert_uses_fewer_tokens_than",
    "assert_uses_tools",
]
