"""The environment of agents that are processes of their own: their telemetry goes to the session."""

from __future__ import annotations

import os
import re

_ELSEWHERE = re.compile(
    r"OTEL_EXPORTER_OTLP_(?:(?:TRACES|LOGS|METRICS)_)?"
    r"(?:ENDPOINT|HEADERS|CERTIFICATE|CLIENT_KEY|CLIENT_CERTIFICATE|INSECURE|COMPRESSION)"
)
_DEFAULTS = {
    "OTEL_EXPORTER_OTLP_PROTOCOL": "http/protobuf",
    "OTEL_TRACES_EXPORTER": "otlp",
    # Agents that end without a flush lose less.
    "OTEL_BSP_SCHEDULE_DELAY": "500",
    "OTEL_BLRP_SCHEDULE_DELAY": "500",
}


class AgentEnvironment:
    """Points the exporters of processes that are started from here to an endpoint, until it is restored."""

    def __init__(self, endpoint: str) -> None:
        self._before = dict(os.environ)
        for name in self._before:
            if _ELSEWHERE.fullmatch(name):
                del os.environ[name]
        for name, value in _DEFAULTS.items():
            os.environ.setdefault(name, value)
        os.environ["OTEL_EXPORTER_OTLP_ENDPOINT"] = endpoint

    def restore(self) -> None:
        """Gives each variable of OpenTelemetry its value from before."""
        for name in [name for name in os.environ if name.startswith("OTEL_")]:
            del os.environ[name]
        os.environ.update({name: value for name, value in self._before.items() if name.startswith("OTEL_")})
