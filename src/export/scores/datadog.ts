import { type Posted, postedOf, type ScoreBackend } from "./backend.ts";
import { type Score, type ScoredVerdict, uniqueNameOf } from "./score.ts";

const path = "/api/intake/llm-obs/v2/eval-metric";
const noApplication: Posted = {
  outcome: "refused",
  error:
    "the run has no service name, which Datadog needs as ml_app: set `project` in export.scores to the application's name",
};

/**
 * Datadog: posts external evaluations of spans. For each span and label, Datadog shows the evaluation with the latest time, which is the
 * time of the verdict. A label cannot change its type, so each outcome is sent as a category, and a check's number as a tag. Evaluations
 * may arrive before their span.
 */
export const datadog: ScoreBackend = {
  headers: (key) => ({ "dd-api-key": key }),
  post: async (verdicts, request, project) => {
    const metrics = verdicts.flatMap((verdict) => {
      const application = project ?? verdict.service;
      return application === null ? [] : verdict.scores.map((score) => metric(verdict, score, application));
    });
    const body = { data: { type: "evaluation_metric", attributes: { metrics } } };
    const posted = metrics.length === 0 ? noApplication : postedOf(await request("POST", path, body));
    return verdicts.map(({ service }) => ((project ?? service) === null ? noApplication : posted));
  },
};

function metric(verdict: ScoredVerdict, score: Score, application: string): object {
  const { label: outcome, explanation, traceId, spanId, metadata } = score;
  return {
    join_on: { span: { span_id: decimal(spanId), trace_id: decimal(traceId) } },
    ml_app: application,
    timestamp_ms: verdict.judgedUnixMs,
    metric_type: "categorical",
    label: uniqueNameOf(verdict, score)
      .replaceAll(/[^a-zA-Z0-9]+/g, "_")
      .slice(0, 200),
    categorical_value: outcome,
    ...(outcome === "pass" || outcome === "fail" ? { assessment: outcome } : {}),
    reasoning: explanation,
    // With `source:otel`, Datadog waits for a span that was sent as OTLP.
    tags: ["source:otel", ...valueTag(score), ...Object.entries(metadata).map((pair) => pair.join(":"))],
  };
}

function valueTag({ about, value }: Score): readonly string[] {
  return about === "check" && value !== null ? [`tracejury.value:${value}`] : [];
}

/** Converts a hex id of OpenTelemetry into the decimal id of Datadog. */
function decimal(id: string): string {
  return BigInt(`0x${id}`).toString();
}
