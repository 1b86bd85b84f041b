"""Sets the agents' environment variables, so that exporters and model clients send to the session."""

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
    # If an agent ends without a flush, it loses fewer spans.
    "OTEL_BSP_SCHEDULE_DELAY": "500",
    "OTEL_BLRP_SCHEDULE_DELAY": "500",
}


class AgentEnvironment:
    """Points exporters to an endpoint, and model clients to the addresses in `variables`, until `restore` is called."""

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
        """Restores the previous value of each changed variable, and of each variable of OpenTelemetry."""
        changed = [name for name in os.environ if name.startswith("OTEL_") or name in self._own]
        for name in changed:
            del os.environ[name]
        kept = {name: value for name, value in self._before.items() if name.startswith("OTEL_") or name in self._own}
        os.environ.update(kept)
