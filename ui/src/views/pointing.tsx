import { Copyable } from "../parts/copy.tsx";
import { Empty } from "../parts/notice.tsx";

/** What to type so that something is seen here. */
export function PointingLines() {
  const host = window.location.hostname;
  const endpoint = `http://${host}:4318`;
  return (
    <Empty title="No runs yet">
      <p>Start an instrumented agent with its exporter pointed here; its runs appear as they end.</p>
      <Copyable
        text={`export OTEL_EXPORTER_OTLP_ENDPOINT=${endpoint}\nexport OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf\npython agent.py`}
      />
      <p>An agent without instrumentation yet, LangGraph for example:</p>
      <Copyable
        text={`pip install openinference-instrumentation-langchain opentelemetry-sdk opentelemetry-exporter-otlp

from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from openinference.instrumentation.langchain import LangChainInstrumentor
provider = TracerProvider()
provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
LangChainInstrumentor().instrument(tracer_provider=provider)`}
      />
      <p>A recording does as well: send each line of an OTLP/JSON dump.</p>
      <Copyable
        text={`while IFS= read -r line; do
  printf '%s' "$line" | curl -s ${endpoint}/v1/traces -H 'content-type: application/json' --data-binary @-
done < traces.jsonl`}
      />
    </Empty>
  );
}
