"""One turn of a conversation: `tracejury test --exec 'python chat.py {query}' --spec specs/chat.yaml`.

With SCRIPTED_MODEL=forgetful, the agent ignores earlier turns.
"""

import json
import os
import sys

from opentelemetry import trace
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor

# Spans go to OTEL_EXPORTER_OTLP_ENDPOINT.
provider = TracerProvider()
provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
trace.set_tracer_provider(provider)

from shop_agent import ask  # noqa: E402 (the import instruments the framework)

is_forgetful = os.environ.get("SCRIPTED_MODEL") == "forgetful"
history = [] if is_forgetful else json.loads(os.environ.get("TRACEJURY_HISTORY", "[]"))
print(ask(sys.argv[1], history))
provider.shutdown()
