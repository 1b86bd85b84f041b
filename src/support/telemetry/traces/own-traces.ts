import { NewestEntries } from "../../structures/newest-entries.ts";
import {
  type Attributes,
  type Context,
  type Link,
  SpanKind,
  SpanStatusCode,
  type Tracer,
} from "@opentelemetry/api";
import { EndpointError, refuseOwnListener, signalUrl } from "../../../export/otlp/endpoint.ts";
import type { JudgeSpan } from "../../../export/records/judge-span.ts";
import type { AgentRun } from "../../../model/run.ts";
import { ownScope } from "../../../model/telemetry/own-scope.ts";

export interface OwnTracesSettings {
  /** Base URL of an OTLP/HTTP backend. */
  readonly endpoint: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Protocol. The values are those of `OTEL_EXPORTER_OTLP_PROTOCOL`. */
  readonly protocol: "http/protobuf" | "http/json";
  /** Share of the traces to export, from 0 to 1. */
  readonly sample: number;
}

export interface EvaluationEnd {
  readonly outcomes: readonly string[];
  readonly error?: string;
}

/** One attempt: a request to a backend, or a commit of Kafka offsets. */
export interface Attempt {
  readonly name: string;
  readonly kind: "client" | "producer" | "internal";
  readonly startUnixMs: number;
  readonly endUnixMs: number;
  readonly attributes: Readonly<Record<string, string | number>>;
  /** Error message; null if the attempt succeeded. */
  readonly error: string | null;
}

/**
 * Traces of the collector's own work. The spans have Tracejury's instrumentation scope, so that Tracejury
 * does not evaluate its own traces.
 */
export interface OwnTraces {
  /**
   * Starts the span of a run's evaluation. Spans of judge calls for the run become its children. Returns a function that ends the span of
   * the evaluation.
   */
  evaluating(run: Pick<AgentRun, "runId" | "traceId" | "rootSpanId" | "agent">): (end: EvaluationEnd) => void;
  judgeCall(call: JudgeSpan): void;
  attempt(attempt: Attempt): void;
  /**
   * Sends the remaining spans, in at most `timeoutMs` milliseconds. Spans that end after `close` are dropped.
   */
  close(timeoutMs: number): Promise<void>;
}

/** Maximum number of evaluations in progress whose spans can have judge calls as children. */
const mostOpen = 10_000;

/**
 * Loads OpenTelemetry's SDK and opens the exporter.
 * @param listeners addresses on which this process listens, as `host:port`
 * @throws EndpointError if the address is invalid, or is one of `listeners`
 */
export async function openOwnTraces(
  settings: OwnTracesSettings,
  resource: Readonly<Record<string, string>>,
  listeners: readonly string[],
): Promise<OwnTraces> {
  const key = "telemetry.traces.endpoint";
  const url = signalUrl(settings.endpoint, "traces", key);
  refuseOwnListener(settings.endpoint, listeners, key);
  const [{ NodeSDK, resources, tracing }, { OTLPTraceExporter }, api] = await Promise.all([
    import("@opentelemetry/sdk-node"),
    settings.protocol === "http/json"
      ? import("@opentelemetry/exporter-trace-otlp-http")
      : import("@opentelemetry/exporter-trace-otlp-proto"),
    import("@opentelemetry/api"),
  ]).catch(explainMissing);
  const processor = new tracing.BatchSpanProcessor(
    new OTLPTraceExporter({ url, headers: { ...settings.headers } }),
  );
  const sdk = new NodeSDK({
    resource: resources.resourceFromAttributes({ ...resource }),
    autoDetectResources: false,
    instrumentations: [],
    sampler: new tracing.ParentBasedSampler({ root: new tracing.TraceIdRatioBasedSampler(settings.sample) }),
    spanProcessors: [processor],
    // Without these settings, the SDK would read OTEL_* environment variables, which are meant for the agents.
    metricReaders: [],
    logRecordProcessors: [],
  });
  sdk.start();
  const tracer = api.trace.getTracer(ownScope, resource["service.version"]);
  return ownTraces(tracer, api.ROOT_CONTEXT, api.trace.setSpan.bind(api.trace), async (timeoutMs) => {
    const late = new Promise<void>((resolve) => void setTimeout(resolve, timeoutMs).unref());
    await Promise.race([sdk.shutdown().catch(() => undefined), late]);
    api.trace.disable();
    api.context.disable();
    api.propagation.disable();
  });
}

function explainMissing(error: unknown): never {
  const isMissing =
    error instanceof Error && "code" in error && String(error.code).endsWith("MODULE_NOT_FOUND");
  if (!isMissing) throw error;
  throw new EndpointError(
    "telemetry.traces: the package @opentelemetry/sdk-node or its exporter is not installed. Install tracejury with npm, or remove the setting.",
  );
}

function ownTraces(
  tracer: Tracer,
  rootContext: Context,
  withSpan: (context: Context, span: ReturnType<Tracer["startSpan"]>) => Context,
  close: (timeoutMs: number) => Promise<void>,
): OwnTraces {
  const open = new NewestEntries<string, Context>(mostOpen);
  return {
    evaluating: ({ runId, traceId, rootSpanId, agent }) => {
      const attributes: Attributes = {
        "tracejury.run.id": runId,
        "openinference.span.kind": "EVALUATOR",
        "langfuse.observation.type": "evaluator",
        ...(agent === null ? {} : { "gen_ai.agent.name": agent }),
      };
      const links: Link[] = [linkTo(traceId, rootSpanId)];
      const span = tracer.startSpan("evaluate", { attributes, links }, rootContext);
      const context = withSpan(rootContext, span);
      open.set(runId, context);
      return ({ outcomes, error }) => {
        if (open.get(runId) === context) open.delete(runId);
        span.setAttribute("tracejury.outcomes", [...outcomes]);
        if (error !== undefined) span.setStatus({ code: SpanStatusCode.ERROR, message: error });
        span.end();
      };
    },
    judgeCall: ({ judged, startUnixMs, endUnixMs, attributes, errorMessage }) => {
      const runId = `${judged.traceId}-${judged.spanId}`;
      const span = tracer.startSpan(
        `chat ${String(attributes.get("gen_ai.request.model") ?? "")}`.trim(),
        {
          kind: SpanKind.CLIENT,
          startTime: startUnixMs,
          links: [linkTo(judged.traceId, judged.spanId)],
          attributes: Object.fromEntries(
            [...attributes].map(([name, value]) => [name, typeof value === "bigint" ? Number(value) : value]),
          ),
        },
        open.get(runId) ?? rootContext,
      );
      if (errorMessage !== undefined) span.setStatus({ code: SpanStatusCode.ERROR, message: errorMessage });
      span.end(endUnixMs);
    },
    attempt: ({ name, kind, startUnixMs, endUnixMs, attributes, error }) => {
      const options = { kind: kinds[kind], startTime: startUnixMs, attributes: { ...attributes } };
      const span = tracer.startSpan(name, options, rootContext);
      if (error !== null) span.setStatus({ code: SpanStatusCode.ERROR, message: error });
      span.end(endUnixMs);
    },
    close,
  };
}

const kinds = {
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  internal: SpanKind.INTERNAL,
};

function linkTo(traceId: string, spanId: string): Link {
  return { context: { traceId, spanId, traceFlags: 1 } };
}
