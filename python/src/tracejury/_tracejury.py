"""Calls agents and returns their runs."""

from __future__ import annotations

import importlib.util
import inspect
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

from ._agent import Agent
from ._environment import AgentEnvironment
from ._errors import NoRunError, NotRecordedError
from ._run import Run
from ._session import SessionProcess

# asyncio and urllib are imported when they are used, because pytest loads this module in every project that has the package.
if TYPE_CHECKING:
    import asyncio

    from ._capture import Capture


class Tracejury:
    """Calls agents one after the other and returns their runs. The fixture `tracejury` is an object of this class."""

    def __init__(self, options: list[str], wait_seconds: float) -> None:
        self._options = options
        self._wait_ms = round(wait_seconds * 1000)
        self._session: SessionProcess | None = None
        self._environment: AgentEnvironment | None = None
        self._capture: Capture | None = None
        self._loop: asyncio.AbstractEventLoop | None = None

    @property
    def session(self) -> SessionProcess:
        """The process that receives telemetry and judges runs; it is started at the first use."""
        if self._session is None:
            self._session = SessionProcess(self._options)
            self._environment = AgentEnvironment(self._session.endpoint, self._session.environment)
        return self._session

    def start(self) -> None:
        """Starts the session now. Exporters that are created later, also in this process, send to it."""
        _ = self.session

    def run(self, agent: Agent, query: str) -> Run:
        """Calls the agent with a query and returns its run. Raises the agent's exception, `NoRunError` if there is no run, and
        `NotRecordedError` if a model request differs from the recording."""
        __tracebackhide__ = True
        self._begin(agent)
        returned = self._call(agent, query)
        return self._finish(query, returned)

    async def run_async(self, agent: Agent, query: str) -> Run:
        """Does the same as `run`, in an asynchronous test."""
        __tracebackhide__ = True
        self._begin(agent)
        detach = _outside_of_spans()
        try:
            returned = agent(query)
            if inspect.isawaitable(returned):
                returned = await returned
        finally:
            detach()
        import asyncio

        # Does not block the event loop, in which other tasks may be exporting to the session.
        return await asyncio.to_thread(self._finish, query, returned)

    def close(self) -> None:
        """Ends the session and restores the environment variables."""
        if self._capture is not None:
            self._capture.close()
        if self._loop is not None:
            self._loop.close()
        if self._environment is not None:
            self._environment.restore()
        if self._session is not None:
            self._session.close()

    def _begin(self, agent: Agent) -> None:
        __tracebackhide__ = True
        session = self.session
        if self._capture is None and _has_sdk():
            from ._capture import Capture

            self._capture = Capture(_service_name(agent))
        if self._capture is not None:
            self._capture.ensure_providers()
            self._capture.discard()
        session.request("begin")

    def _call(self, agent: Agent, query: str) -> object:
        __tracebackhide__ = True
        detach = _outside_of_spans()
        try:
            returned = agent(query)
            return self._awaited(returned) if inspect.isawaitable(returned) else returned
        finally:
            detach()

    def _awaited(self, awaitable: Awaitable[object]) -> object:
        __tracebackhide__ = True

        async def wait() -> object:
            __tracebackhide__ = True
            return await awaitable

        # All calls share one event loop, because an agent may keep a client, which works only in the loop that created it.
        if self._loop is None:
            import asyncio

            self._loop = asyncio.new_event_loop()
        return self._loop.run_until_complete(wait())

    def _finish(self, query: str, returned: object) -> Run:
        __tracebackhide__ = True
        import urllib.request

        session = self.session
        for path, body in self._capture.take() if self._capture is not None else []:
            request = urllib.request.Request(
                f"{session.endpoint}{path}", body, {"Content-Type": "application/json"}
            )
            # Ignores proxies in environment variables: the session is on this machine.
            with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request):
                pass
        answer = {"answer": returned} if isinstance(returned, str) else {}
        finished = session.request("finish", wait_ms=self._wait_ms, **answer)
        if finished["not_recorded"] is not None:
            raise NotRecordedError(finished["not_recorded"])
        runs: list[dict[str, Any]] = finished["runs"]
        if not runs:
            raise NoRunError(self._silence(finished))
        own = [run for run in runs if _is_about(run, query)]
        return Run((own or runs)[-1], returned, session)

    def _silence(self, finished: dict[str, Any]) -> str:
        silence = finished["silence"]
        if finished["requests"] == 0 and self._capture is None:
            fix = "pip install opentelemetry-sdk and an instrumentation of the agent's framework (docs/agents/)"
            return f"no run of the agent: {silence['reason']}, and the OpenTelemetry SDK is not installed\n{fix}"
        if finished["requests"] == 0:
            fix = (
                "instrument the agent's framework in this process, before you call the agent (docs/agents/ has the lines for each "
                "framework); a program that the agent starts must use OTEL_EXPORTER_OTLP_ENDPOINT, and flush before it ends"
            )
            return f"no run of the agent: {silence['reason']}\n{fix}"
        return f"no run of the agent: {silence['reason']}\n{silence['hint']}"


def _has_sdk() -> bool:
    try:
        return importlib.util.find_spec("opentelemetry.sdk.trace") is not None
    except ModuleNotFoundError:
        return False


def _outside_of_spans() -> Callable[[], None]:
    """Detaches the current span, so that spans of the agent get their own trace, until the returned function is called."""
    if not _has_sdk():
        return lambda: None
    from opentelemetry import context

    token = context.attach(context.Context())
    return lambda: context.detach(token)


def _service_name(agent: Agent) -> str:
    module = getattr(agent, "__module__", None) or type(agent).__module__
    return str(module).rpartition(".")[2]


def _is_about(run: dict[str, Any], query: str) -> bool:
    return run["query"] is not None and str(run["query"]).split() == query.split()
