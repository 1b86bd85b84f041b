import { z } from "zod";
import { type ScoreBackendSink, startBackend } from "./score-backends.ts";

const uuid = z.string().regex(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
const shown = {
  score: z.number().nullable(),
  value: z.string(),
  comment: z.string(),
};
const feedback = z.strictObject({
  id: uuid,
  run_id: uuid,
  session_id: uuid,
  start_time: z.string(),
  key: z.string(),
  ...shown,
  feedback_source: z.strictObject({
    type: z.enum(["api", "model"]),
    metadata: z.record(z.string(), z.string()),
  }),
});
const feedbackUpdate = z.strictObject({ ...shown, correction: z.null() });

/** LangSmith, according to its API description: a feedback is created once for each id, and then replaced. An unknown run is 404. */
export function startLangsmith(): Promise<ScoreBackendSink> {
  return startBackend((sink, method, path, body) => {
    const [, kind, id = ""] = /^\/api\/v1\/(runs|feedback)(?:\/([^/]+))?$/.exec(path) ?? [];
    if (kind === "runs" && method === "GET") {
      if (sink.present?.has(id) === false) return { status: 404, body: { detail: "Run not found" } };
      const session = "11111111-2222-3333-4444-555555555555";
      return { status: 200, body: { id, session_id: session, start_time: "2023-11-14T22:13:20" } };
    }
    const before = sink.scores.get(id);
    if (kind !== "feedback") return { status: 405, body: {} };
    if (method === "GET")
      return before === undefined
        ? { status: 404, body: { detail: "Feedback not found" } }
        : { status: 200, body: { id, comment: before.explanation } };
    if (method === "PATCH") {
      const parsed = feedbackUpdate.safeParse(body);
      if (!parsed.success || before === undefined) return { status: 422, body: {} };
      const { score, value, comment: explanation } = parsed.data;
      sink.scores.set(id, { ...before, value: { score, value }, explanation });
      return { status: 200, body: { id } };
    }
    const parsed = feedback.safeParse(body);
    if (method !== "POST" || !parsed.success) return { status: 422, body: {} };
    const { id: own, run_id: target, key: name, score, value, comment, feedback_source: by } = parsed.data;
    if (sink.scores.has(own)) return { status: 409, body: { detail: "Feedback exists" } };
    const { metadata } = by;
    sink.scores.set(own, {
      name,
      target,
      value: { score, value },
      explanation: comment,
      metadata,
      by: by.type,
    });
    return { status: 200, body: { id: own } };
  });
}

const question = z.strictObject({ query: z.string(), fmt: z.literal("json") });
const rows = z.strictObject({
  events: z.array(
    z.strictObject({
      id: z.string(),
      _is_merge: z.literal(true),
      scores: z.record(z.string(), z.number().min(0).max(1).nullable()),
      metadata: z.strictObject({
        tracejury: z.record(z.string(), z.object({ explanation: z.string() }).catchall(z.unknown())),
      }),
    }),
  ),
});

/**
 * Braintrust, according to its API description: BTQL finds rows by trace and span. An insert with `_is_merge` is merged into the row with
 * the same id.
 */
export function startBraintrust(): Promise<ScoreBackendSink> {
  const written = new Map<string, Record<string, unknown>>();
  return startBackend((sink, method, path, body) => {
    if (method === "POST" && path === "/btql") {
      const { query } = question.parse(body);
      if (!/^select: .* \| from: project_logs\('p-1'\) spans \| filter: .* \| limit: \d+$/.test(query)) {
        return { status: 400, body: {} };
      }
      const found = [...query.matchAll(/root_span_id = '([0-9a-f]{32})' and span_id = '([0-9a-f]{16})'/g)];
      const data = found.flatMap(([, trace = "", span = ""]) =>
        sink.present?.has(span) === false
          ? []
          : [
              {
                id: `row-${span}`,
                root_span_id: trace,
                span_id: span,
                metadata: { model: "x", tracejury: written.get(span) ?? null },
              },
            ],
      );
      return { status: 200, body: { data } };
    }
    const parsed = rows.safeParse(body);
    if (method !== "POST" || path !== "/v1/project_logs/p-1/insert" || !parsed.success) {
      return { status: 400, body: {} };
    }
    for (const { id, scores, metadata } of parsed.data.events) {
      const target = id.replace("row-", "");
      written.set(target, { ...written.get(target), ...metadata.tracejury });
      for (const [name, value] of Object.entries(scores)) {
        const said = metadata.tracejury[name];
        if (said === undefined) return { status: 400, body: {} };
        const { explanation } = said;
        sink.scores.set(`${target} ${name}`, {
          name,
          target,
          value,
          explanation,
          metadata: said,
          by: "CODE",
        });
      }
    }
    return { status: 200, body: { row_ids: parsed.data.events.map(({ id }) => id) } };
  });
}

const digits = z.string().regex(/^\d+$/);
const evaluations = z.strictObject({
  data: z.strictObject({
    type: z.literal("evaluation_metric"),
    attributes: z.strictObject({
      metrics: z.array(
        z.strictObject({
          join_on: z.strictObject({ span: z.strictObject({ span_id: digits, trace_id: digits }) }),
          ml_app: z.string().min(1),
          timestamp_ms: z.int(),
          metric_type: z.literal("categorical"),
          label: z.string().regex(/^[a-zA-Z][a-zA-Z0-9_]{0,199}$/),
          categorical_value: z.string(),
          assessment: z.enum(["pass", "fail"]).optional(),
          reasoning: z.string(),
          tags: z.array(z.string().includes(":")),
        }),
      ),
    }),
  }),
});

/**
 * Datadog, according to its API description: a span has one evaluation for each application and label. Here it is the one with the latest
 * time.
 */
export function startDatadog(): Promise<ScoreBackendSink> {
  const times = new Map<string, number>();
  return startBackend((sink, method, path, body) => {
    if (method !== "POST" || path !== "/api/intake/llm-obs/v2/eval-metric") return { status: 405, body: {} };
    const parsed = evaluations.safeParse(body);
    if (!parsed.success) return { status: 400, body: {} };
    for (const { join_on: on, ml_app: app, label: name, ...said } of parsed.data.data.attributes.metrics) {
      const target = `${on.span.trace_id} ${on.span.span_id} ${app}`;
      if ((times.get(`${target} ${name}`) ?? 0) > said.timestamp_ms) continue;
      times.set(`${target} ${name}`, said.timestamp_ms);
      const metadata = Object.fromEntries(said.tags.map((tag) => tag.split(/:(.*)/s).slice(0, 2)));
      const value = said.categorical_value;
      const { reasoning: explanation, assessment: by = "none" } = said;
      sink.scores.set(`${target} ${name}`, { name, target, value, explanation, metadata, by });
    }
    return { status: 202, body: { data: { type: "evaluation_metric", id: "1" } } };
  });
}
