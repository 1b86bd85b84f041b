"""The environment of agents: telemetry goes to the session, and so do model calls where answers are recorded."""

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
    """Points exporters to an endpoint, and model clients to where `variables` say, until it is restored."""

    def __init__(self, endpoint: str, variables: dict[str, str]) -> None:
        self._before = dict(os.environ)
        self._own = list(variables)
        for name in self._before:
            if _ELSEWHERE.fullmatch(name):
                del os.environ[name]
        for name, value in _DEFAULTS.items():
            os.environ.setdefault(name, value)
        os.environ["OTEL_EXPORTER_OTLP_ENDPOINT"] = endpoint
        os.environ.update(variables)

    def restore(self) -> None:
        """Gives each variable that was changed, and each of OpenTelemetry, its value from before."""
        changed = [name for name in os.environ if name.startswith("OTEL_") or name in self._own]
        for name in changed:
            del os.environ[name]
        kept = {name: value for name, value in self._before.items() if name.startswith("OTEL_") or name in self._own}
        os.environ.update(kept)
