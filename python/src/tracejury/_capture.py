"""Captures the spans and log records of the OpenTelemetry SDK in this process, independently of its exporters."""

from __future__ import annotations

import functools
import gc
import os
import threading
from typing import Any
from weakref import WeakSet

from opentelemetry import _logs, trace
from opentelemetry.sdk import _logs as sdk_logs
from opentelemetry.sdk import trace as sdk_trace
from opentelemetry.sdk.resources import Resource

from ._otlp_json import logs_request, traces_request


class Capture:
    """
    Adds a processor to every SDK provider of the process, existing or created later. If there is no global
    provider, `ensure_providers` sets one without an exporter.
    """

    def __init__(self, service_name: str) -> None:
        self._service_name = service_name
        self._spans = _Spans()
        self._log_records = _LogRecords()
        self._known: WeakSet[Any] = WeakSet()
        self._undo = [
            self._watch(sdk_trace.TracerProvider, self._add_to_tracer_provider),
            self._watch(sdk_logs.LoggerProvider, self._add_to_logger_provider),
        ]
        for found in gc.get_objects():
            # isinstance() would read `__class__`, which loads lazy objects.
            kind = type(found)
            if issubclass(kind, sdk_trace.TracerProvider):
                self._add_to_tracer_provider(found)
            elif issubclass(kind, sdk_logs.LoggerProvider):
                self._add_to_logger_provider(found)

    def ensure_providers(self) -> None:
        """Sets missing global providers. Call it after the agent's modules are imported, because they may set their own."""
        if isinstance(trace.get_tracer_provider(), trace.ProxyTracerProvider):
            trace.set_tracer_provider(sdk_trace.TracerProvider(resource=self._resource()))
        if type(_logs.get_logger_provider()).__name__ == "ProxyLoggerProvider":
            _logs.set_logger_provider(sdk_logs.LoggerProvider(resource=self._resource()))

    def discard(self) -> None:
        """Discards everything recorded so far."""
        self._spans.take()
        self._log_records.take()

    def take(self) -> list[tuple[str, bytes]]:
        """Returns everything recorded since the last call, as pairs of an OTLP/HTTP path and a request body."""
        spans, log_records = self._spans.take(), self._log_records.take()
        requests = []
        if log_records:
            requests.append(("/v1/logs", logs_request(log_records)))
        if spans:
            requests.append(("/v1/traces", traces_request(spans)))
        return requests

    def close(self) -> None:
        """Ignores new providers, and flushes exporters while the session still receives."""
        for undo in self._undo:
            undo()
        for provider in list(self._known):
            provider.force_flush(2_000)

    def _add_to_tracer_provider(self, provider: Any) -> None:
        if provider not in self._known:
            self._known.add(provider)
            provider.add_span_processor(self._spans)

    def _add_to_logger_provider(self, provider: Any) -> None:
        if provider not in self._known:
            self._known.add(provider)
            provider.add_log_record_processor(self._log_records)

    def _watch(self, kind: Any, add: Any) -> Any:
        original = kind.__init__

        @functools.wraps(original)
        def init(provider: Any, *arguments: Any, **named: Any) -> None:
            original(provider, *arguments, **named)
            add(provider)

        kind.__init__ = init

        def undo() -> None:
            if kind.__init__ is init:
                kind.__init__ = original

        return undo

    def _resource(self) -> Resource:
        is_named = "OTEL_SERVICE_NAME" in os.environ or "service.name=" in os.environ.get("OTEL_RESOURCE_ATTRIBUTES", "")
        return Resource.create({} if is_named else {"service.name": self._service_name})


class _Taken:
    """A list to which several threads append, and from which one thread takes all items."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._items: list[Any] = []

    def append(self, item: Any) -> None:
        with self._lock:
            self._items.append(item)

    def take(self) -> list[Any]:
        with self._lock:
            items, self._items = self._items, []
        return items


class _Spans(sdk_trace.SpanProcessor):
    def __init__(self) -> None:
        self._taken = _Taken()
        self.take = self._taken.take

    def on_end(self, span: Any) -> None:
        if span.get_span_context().trace_flags.sampled:
            self._taken.append(span)


class _LogRecords(sdk_logs.LogRecordProcessor):
    def __init__(self) -> None:
        self._taken = _Taken()
        self.take = self._taken.take

    def on_emit(self, log_record: Any) -> None:
        self._taken.append(log_record)

    # Name of `on_emit` before opentelemetry-sdk 1.36.
    def emit(self, log_data: Any) -> None:
        self._taken.append(log_data)

    def shutdown(self) -> None:
        pass

    def force_flush(self, timeout_millis: int = 30_000) -> bool:
        return True
