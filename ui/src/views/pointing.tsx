import { ask, useLoaded } from "../api.ts";
import { reachable, type Status } from "../home/collector-status.ts";
import { Copyable } from "../parts/copy.tsx";
import { Empty, Loaded } from "../parts/notice.tsx";

/** Shows how to send the first runs to the collector. */
export function PointingLines() {
  const loading = useLoaded(() => ask<Status>("/api/v1/status"), []);
  return <Loaded from={loading}>{({ listening }) => <Lines listening={listening} />}</Loaded>;
}

function Lines({ listening }: { listening: Status["listening"] | undefined }) {
  const isTls = listening?.tls === true;
  const grpc = reachable(listening?.grpc ?? null, isTls);
  const http = reachable(listening?.http ?? null, isTls);
  const endpoint = http ?? grpc;
  if (endpoint === null) {
    return (
      <Empty title="No runs yet">
        <p>
          No receiver listens: set <code>receive.http</code> or <code>receive.grpc</code>, or read from Kafka.
        </p>
      </Empty>
    );
  }
  const protocol = http === null ? "grpc" : "http/protobuf";
  return (
    <Empty title="No runs yet">
      <p>Start an instrumented agent with its exporter pointed here; its runs appear when they end.</p>
      <Copyable
        text={`export OTEL_EXPORTER_OTLP_ENDPOINT=${endpoint}\nexport OTEL_EXPORTER_OTLP_PROTOCOL=${protocol}\npython agent.py`}
      />
      {grpc !== null && http !== null && (
        <p class="quiet">
          For gRPC: <code>{grpc}</code>. Both ports accept both protocols.
        </p>
      )}
      <p>To instrument an agent, for example with LangGraph:</p>
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
      <p>You can also send a recording: post each line of an OTLP/JSON dump.</p>
      <Copyable
        text={`while IFS= read -r line; do
  printf '%s' "$line" | curl -s ${endpoint}/v1/traces -H 'content-type: application/json' --data-binary @-
done < traces.jsonl`}
      />
    </Empty>
  );
}
