"""The pytest plug-in: options, the fixture `tracejury`, and the queries of spec files as tests."""

from __future__ import annotations

from contextlib import suppress
from fnmatch import fnmatch
from pathlib import Path

import pytest

from ._agent import split_agent
from ._errors import TracejuryError
from ._options import Options, add_options
from ._spec_file import SpecFile
from ._tracejury import Tracejury

_KEY = pytest.StashKey[Tracejury]()


def pytest_addoption(parser: pytest.Parser) -> None:
    add_options(parser)


def pytest_configure(config: pytest.Config) -> None:
    options = Options.of(config)
    if options.specs and not options.agents:
        raise pytest.UsageError("--tracejury-spec needs an agent: --tracejury-agent my_agent:ask")
    if options.agents and not options.specs:
        raise pytest.UsageError("--tracejury-agent needs a spec: --tracejury-spec specs/agent.yaml")
    for agent in options.agents:
        try:
            split_agent(agent)
        except TracejuryError as error:
            raise pytest.UsageError(f"--tracejury-agent: {error}") from None
    config.stash[_KEY] = Tracejury(options.of_session(), options.wait_seconds)
    _add_specs_to_arguments(config, options.specs)


def _add_specs_to_arguments(config: pytest.Config, specs: list[str]) -> None:
    # The worker processes of pytest-xdist get the arguments that the main process changed.
    if hasattr(config, "workerinput"):
        return
    is_narrowed = config.args_source is pytest.Config.ArgsSource.ARGS
    is_asked_for = any(str(word).startswith("--tracejury-spec") for word in config.invocation_params.args)
    # If the option is in `addopts`, `pytest test_other.py` runs only this file.
    if is_narrowed and not is_asked_for:
        return
    given = [Path(word.partition("::")[0]).resolve() for word in config.args]
    for spec in specs:
        if not Path(spec).is_file():
            raise pytest.UsageError(f"--tracejury-spec: there is no file {spec}")
        above = [path for path in given if path == Path(spec).resolve() or path in Path(spec).resolve().parents]
        # Before pytest 9, a file that is named twice is collected twice.
        if not above:
            config.args.append(spec)
        elif not any(_is_reached(Path(spec).resolve(), path, config.getini("norecursedirs")) for path in above):
            raise pytest.UsageError(f"--tracejury-spec: pytest ignores the folder of {spec} (norecursedirs)")


def _is_reached(spec: Path, folder: Path, skipped: list[str]) -> bool:
    names = spec.relative_to(folder).parts[:-1]
    return not any(fnmatch(name, pattern) for name in names for pattern in skipped)


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> SpecFile | None:
    options = Options.of(parent.config)
    if not any((parent.config.invocation_params.dir / spec).resolve() == file_path.resolve() for spec in options.specs):
        return None
    return SpecFile.from_parent(parent, path=file_path, tracejury=parent.config.stash[_KEY], options=options)


def pytest_pycollect_makemodule(module_path: Path, parent: pytest.Collector) -> None:
    """Starts the session before a test module imports an agent, whose exporter reads the environment when it is created."""
    if b"tracejury" in module_path.read_bytes():
        with suppress(TracejuryError):
            parent.config.stash[_KEY].start()


def pytest_unconfigure(config: pytest.Config) -> None:
    tracejury = config.stash.get(_KEY, None)
    if tracejury is not None:
        tracejury.close()


@pytest.fixture(scope="session")
def tracejury(pytestconfig: pytest.Config) -> Tracejury:
    """Calls agents and returns their runs: `run = tracejury.run(ask, "Where is my order?")`."""
    return pytestconfig.stash[_KEY]
