"""The options of the pytest plug-in."""

from __future__ import annotations

import os
from dataclasses import dataclass
from glob import glob
from pathlib import Path

import pytest


@dataclass(frozen=True)
class Options:
    """The options that were given on the command line or in `addopts`."""

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
        # A pattern without a match stays, so that the plug-in reports the missing file.
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
        help="spec file or glob: each query is a test; repeat for several",
    )
    group.addoption(
        "--tracejury-agent",
        action="append",
        default=[],
        metavar="MODULE:FUNCTION",
        help="function to call with the text of each query; repeat for several",
    )
    group.addoption("--tracejury-runs", type=_positive, default=1, metavar="N", help="number of calls with each query (1)")
    group.addoption(
        "--tracejury-judge",
        choices=["auto", "off", "required"],
        default=None,
        help="whether language models judge (default: judge.mode of the configuration)",
    )
    group.addoption(
        "--tracejury-config", action="append", default=[], metavar="FILE", help="configuration file of Tracejury"
    )
    group.addoption(
        "--tracejury-models",
        action="append",
        default=[],
        metavar="WHAT",
        help="who answers the agents' model calls: replay:DUMP (a recording; repeat for several), record:FILE (the provider; "
        "calls are recorded) or live (the provider)",
    )
    group.addoption(
        "--tracejury-fault",
        default=None,
        metavar="KIND@N",
        help="inject a fault at the N-th model call of each call of the agent; needs --tracejury-models replay or live",
    )
    group.addoption(
        "--tracejury-wait",
        type=float,
        default=5.0,
        metavar="SECONDS",
        help="maximum wait for telemetry after a call of the agent (5)",
    )


def _of_worker(source: str) -> str:
    """Returns the source; with pytest-xdist, each process records to its own file."""
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
