"""The options of the pytest plug-in."""

from __future__ import annotations

import os
from dataclasses import dataclass
from glob import glob
from pathlib import Path

import pytest


@dataclass(frozen=True)
class Options:
    """What was asked for on the command line or in `addopts`."""

    specs: list[str]
    agents: list[str]
    runs: int
    judge: str | None
    configs: list[str]
    models: list[str]
    fault: str | None
    wait_seconds: float

    @staticmethod
    def of(config: pytest.Config) -> Options:
        given = config.option
        # A pattern that fits nothing stays, and pytest says that there is no such file.
        specs = [file for pattern in given.tracejury_spec for file in sorted(glob(pattern)) or [pattern]]
        return Options(
            specs,
            given.tracejury_agent,
            given.tracejury_runs,
            given.tracejury_judge,
            given.tracejury_config,
            given.tracejury_models,
            given.tracejury_fault,
            given.tracejury_wait,
        )

    def of_session(self) -> list[str]:
        """The options of `tracejury session`."""
        configs = [word for file in self.configs for word in ("--config", file)]
        models = [word for source in self.models for word in ("--models", _of_worker(source))]
        judge = ["--judge", self.judge] if self.judge is not None else []
        fault = ["--fault", self.fault] if self.fault is not None else []
        return [*configs, *models, *fault, *judge]


def add_options(parser: pytest.Parser) -> None:
    group = parser.getgroup("tracejury", "AI agents judged by their traces (tracejury)")
    group.addoption(
        "--tracejury-spec",
        action="append",
        default=[],
        metavar="FILE",
        help="test each query of this spec (or of those that fit a pattern) with the agents; repeat for several",
    )
    group.addoption(
        "--tracejury-agent",
        action="append",
        default=[],
        metavar="MODULE:FUNCTION",
        help="the function that is called with the text of a query; repeat for several",
    )
    group.addoption("--tracejury-runs", type=_positive, default=1, metavar="N", help="calls of each query (1)")
    group.addoption(
        "--tracejury-judge",
        choices=["auto", "off", "required"],
        default=None,
        help="whether language models judge (the configuration's judge.mode when not given)",
    )
    group.addoption(
        "--tracejury-config", action="append", default=[], metavar="FILE", help="a configuration file of tracejury"
    )
    group.addoption(
        "--tracejury-models",
        action="append",
        default=[],
        metavar="WHAT",
        help="what answers the agents' model calls: replay:DUMP (repeat for several), record:FILE or live",
    )
    group.addoption(
        "--tracejury-fault",
        default=None,
        metavar="KIND@N",
        help="with models of replay or live: a fault at the N-th model call of each call of the agent",
    )
    group.addoption(
        "--tracejury-wait",
        type=float,
        default=5.0,
        metavar="SECONDS",
        help="longest wait for the telemetry of a call that has ended (5)",
    )


def _of_worker(source: str) -> str:
    """Each process of xdist records into a file of its own."""
    worker = os.environ.get("PYTEST_XDIST_WORKER")
    if worker is None or not source.startswith("record:"):
        return source
    file = Path(source.removeprefix("record:"))
    return f"record:{file.with_suffix(f'.{worker}{file.suffix}')}"


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise ValueError(text)
    return number
