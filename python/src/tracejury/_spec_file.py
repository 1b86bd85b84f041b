"""Makes a test of each query of a spec file."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from _pytest._code.code import (
    ExceptionInfo,
    ReprEntryNative,
    ReprExceptionInfo,
    ReprFileLocation,
    ReprTraceback,
    Traceback,
)

from ._agent import load_agent
from ._assertions import reason_of, report_text
from ._errors import NoRunError, NotRecordedError, TracejuryError, TracejuryWarning
from ._options import Options
from ._tracejury import Tracejury


class SpecFile(pytest.File):
    """Collects one test for each query, agent and run."""

    def __init__(self, *, tracejury: Tracejury, options: Options, **named: Any) -> None:
        super().__init__(**named)
        self.tracejury = tracejury
        self.options = options
        self.spec = _relative(self.path)

    def collect(self) -> Iterator[pytest.Item]:
        agents, runs = self.options.agents, self.options.runs
        queries = self.tracejury.session.request("queries", specs=[self.spec])["queries"]
        for query in queries:
            for agent in agents:
                for number in range(1, runs + 1):
                    variants = [*([agent] if len(agents) > 1 else []), *([str(number)] if runs > 1 else [])]
                    name = query["query_id"] + (f"[{'-'.join(variants)}]" if variants else "")
                    yield QueryTest.from_parent(self, name=name, query=query, agent=agent)

    def repr_failure(self, excinfo: ExceptionInfo[BaseException], style: Any = None) -> Any:
        error = excinfo.value
        return str(error) if isinstance(error, TracejuryError) else super().repr_failure(excinfo)


class SpecFailure(Exception):
    """A run violates the spec, or is undecided."""

    def __init__(self, reason: str, report: str) -> None:
        super().__init__(reason)
        self.reason = reason
        self.report = report


class QueryTest(pytest.Item):
    """Calls an agent with a query, and judges the run."""

    def __init__(self, *, query: dict[str, Any], agent: str, **named: Any) -> None:
        super().__init__(**named)
        self._query = query
        self._agent = agent
        self._report = ""

    def runtest(self) -> None:
        if not self._query["can_be_asked"]:
            pytest.skip('the query has no text for a function ("*", or a conversation): use `tracejury test`')
        file = self.parent
        assert isinstance(file, SpecFile)
        _make_importable(self.config.invocation_params.dir)
        run = file.tracejury.run(load_agent(self._agent), self._query["query"])
        judged = run.judged(self._query["query_id"], file.spec)
        self.user_properties.append(("tracejury_run_id", run.run_id))
        self._conclude(judged)

    def repr_failure(self, excinfo: ExceptionInfo[BaseException], style: Any = None) -> Any:
        error = excinfo.value
        if isinstance(error, SpecFailure):
            return self._shown(error.reason, error.report)
        if isinstance(error, TracejuryWarning):
            # pytest raises a warning as an error with `-W error`.
            return self._shown(str(error), self._report)
        if isinstance(error, (NoRunError, NotRecordedError, TracejuryError)):
            return self._shown(str(error).partition("\n")[0], str(error))
        _begin_in_agent(excinfo)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int, str]:
        return self.path, self._query["line"] - 1, self.name

    def _conclude(self, judged: dict[str, Any]) -> None:
        (verdict,) = judged["result"]["verdicts"]
        outcome = verdict["outcome"]
        reason = reason_of(verdict)
        self._report = report_text(judged)
        if judged["result"]["summary"]["exit_code"] != 0:
            raise SpecFailure(reason, self._report)
        if outcome == "skip":
            pytest.skip(reason)
        if outcome == "warn" and verdict.get("expected_fail"):
            pytest.xfail(reason)
        if outcome == "warn":
            warnings.warn_explicit(TracejuryWarning(reason), None, os.fspath(self.path), self._query["line"])

    def _shown(self, reason: str, text: str) -> ReprExceptionInfo:
        """Returns the failure in a form whose one-line reason appears in JUnit XML, also with pytest-xdist."""
        place = ReprFileLocation(str(self.path), self._query["line"], reason)
        return ReprExceptionInfo(ReprTraceback([ReprEntryNative([f"{text}\n"])], None, "native"), place)


def _begin_in_agent(excinfo: ExceptionInfo[BaseException]) -> None:
    """Removes the entries before the agent's code from a traceback: those of pytest, this package and importlib."""
    entries = list(excinfo.traceback)
    paths = [str(entry.path) for entry in entries]
    ours = [at for at, path in enumerate(paths) if Path(path).parent == Path(__file__).parent]
    begin = ours[-1] + 1 if ours else 0
    while begin < len(paths) and "importlib" in paths[begin]:
        begin += 1
    if begin < len(entries):
        excinfo.traceback = Traceback(entries[begin:])


def _relative(path: Path) -> str:
    """Returns the path relative to the working directory, if it is in this directory."""
    try:
        return os.fspath(path.relative_to(Path.cwd()))
    except ValueError:
        return os.fspath(path)


def _make_importable(folder: Path) -> None:
    """Adds the folder in which pytest was started to `sys.path`, as `python -m pytest` does."""
    if os.fspath(folder) not in sys.path:
        sys.path.insert(0, os.fspath(folder))
