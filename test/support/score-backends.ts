import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { z } from "zod";

/** A score in the backend. */
export interface KeptScore {
  readonly name: string;
  readonly target: string;
  readonly value: unknown;
  readonly explanation: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly by: string;
}

/** A web server that imitates the score API of a backend. */
export interface ScoreBackendSink {
  /** `http://127.0.0.1:PORT` */
  readonly url: string;
  /** Scores by the key that is unique in the backend. */
  readonly scores: Map<string, KeptScore>;
  readonly requests: {
    readonly method: string;
    readonly path: string;
    readonly headers: IncomingMessage["headers"];
  }[];
  /** Ids of the spans or traces that exist in the backend; null: any exists. */
  present: Set<string> | null;
  /** Status of all answers; null: normal answers. */
  refusal: number | null;
  close(): Promise<void>;
}

export type Answer = { readonly status: number; readonly body: unknown };
export type Route = (sink: ScoreBackendSink, method: string, path: string, body: unknown) => Answer;

export async function startBackend(route: Route): Promise<ScoreBackendSink> {
  const server = createServer((request, response) => {
    void (async () => {
      const text = (await buffer(request)).toString();
      const { method = "", url = "", headers } = request;
      sink.requests.push({ method, path: url, headers });
      if (sink.refusal !== null) return void response.writeHead(sink.refusal).end();
      const { status, body } = route(sink, method, url, text === "" ? undefined : JSON.parse(text));
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    })();
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const sink: ScoreBackendSink = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    scores: new Map(),
    requests: [],
    present: null,
    refusal: null,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return sink;
}

const annotations = z.strictObject({
  data: z.array(
    z.strictObject({
      span_id: z.string().regex(/^[0-9a-f]{16}$/),
      name: z.string().min(1),
      annotator_kind: z.enum(["LLM", "CODE", "HUMAN"]),
      result: z.strictObject({
        label: z.string().nullable(),
        score: z.number().nullable(),
        explanation: z.string().nullable(),
      }),
      metadata: z.record(z.string(), z.unknown()),
      identifier: z.string(),
    }),
  ),
});

/**
 * Phoenix: refuses a whole request if one of its spans does not exist. Each span has one annotation per name and identifier. Annotations of
 * the project `p-1` can be read, and deleted by identifier.
 */
export function startPhoenix(): Promise<ScoreBackendSink> {
  return startBackend((sink, method, path, body) => {
    const url = new URL(path, "http://phoenix");
    const wanted = url.searchParams.getAll("identifier");
    const found = [...sink.scores].filter(([key]) => wanted.includes(key.split(" ")[2] ?? ""));
    if (url.pathname === "/v1/projects/p-1/span_annotations" && method === "GET") {
      const data = found.map(([key, { target, name, metadata }]) => ({
        span_id: target,
        name,
        metadata,
        identifier: key.split(" ")[2],
      }));
      return { status: 200, body: { data, next_cursor: null } };
    }
    if (url.pathname === "/v1/projects/p-1/span_annotations" && method === "DELETE") {
      if (url.searchParams.get("delete_all") !== "true") return { status: 422, body: {} };
      for (const [key] of found) sink.scores.delete(key);
      return { status: 204, body: undefined };
    }
    if (url.pathname.startsWith("/v1/projects/")) return { status: 404, body: {} };
    if (method !== "POST" || path !== "/v1/span_annotations?sync=true") return { status: 405, body: {} };
    const parsed = annotations.safeParse(body);
    if (!parsed.success) return { status: 422, body: {} };
    const { data } = parsed.data;
    if (data.some(({ span_id: id }) => sink.present?.has(id) === false)) return { status: 404, body: {} };
    for (const { span_id: id, name, annotator_kind: by, result, metadata, identifier } of data) {
      const value = { label: result.label, score: result.score };
      const explanation = result.explanation ?? "";
      sink.scores.set([id, name, identifier].join(" "), {
        name,
        target: id,
        value,
        explanation,
        metadata,
        by,
      });
    }
    return { status: 200, body: { data: data.map((_, at) => ({ id: String(at) })) } };
  });
}

const assessment = z.strictObject({
  assessment_id: z.string().max(50),
  trace_id: z.string().regex(/^tr-[0-9a-f]{32}$/),
  span_id: z.string(),
  assessment_name: z.string(),
  source: z.strictObject({ source_type: z.enum(["CODE", "LLM_JUDGE"]), source_id: z.string() }),
  feedback: z.union([
    z.strictObject({ value: z.union([z.string(), z.number(), z.boolean()]) }),
    z.strictObject({ error: z.strictObject({ error_code: z.string(), error_message: z.string() }) }),
  ]),
  rationale: z.string(),
  metadata: z.record(z.string(), z.string()),
});

/** MLflow, which assigns ids to assessments: an assessment that is posted twice exists twice. */
export function startMlflow(): Promise<ScoreBackendSink> {
  return startBackend((sink, method, path, body) => {
    const [, trace = "", rest, id = ""] =
      /^\/api\/3\.0\/mlflow\/traces\/([^/]+)(?:\/(assessments)(?:\/(.+))?)?$/.exec(path) ?? [];
    if (sink.present?.has(trace) === false)
      return { status: 404, body: { error_code: "RESOURCE_DOES_NOT_EXIST" } };
    if (method === "GET" && rest === undefined) {
      const assessments = [...sink.scores].flatMap(([key, { target, metadata }]) =>
        target === trace ? [{ assessment_id: key, metadata }] : [],
      );
      return { status: 200, body: { trace: { trace_info: { trace_id: trace, assessments } } } };
    }
    const change = z.object({ assessment }).safeParse(body);
    if (!change.success || rest === undefined) return { status: 400, body: {} };
    const {
      assessment_name: name,
      feedback,
      rationale: explanation,
      metadata,
      source,
    } = change.data.assessment;
    const key = method === "PATCH" ? id : `a-${sink.scores.size}`;
    if (method === "PATCH" && !sink.scores.has(id)) return { status: 404, body: {} };
    sink.scores.set(key, {
      name,
      target: trace,
      value: feedback,
      explanation,
      metadata,
      by: source.source_type,
    });
    return { status: 200, body: { assessment: { assessment_id: key } } };
  });
}

const ingestion = z.strictObject({
  batch: z.array(
    z.strictObject({
      id: z.string(),
      type: z.literal("score-create"),
      timestamp: z.iso.datetime(),
      body: z.strictObject({
        id: z.string(),
        traceId: z.string(),
        observationId: z.string().optional(),
        name: z.string(),
        value: z.union([z.number(), z.string()]),
        dataType: z.enum(["NUMERIC", "CATEGORICAL", "BOOLEAN"]),
        comment: z.string(),
        metadata: z.record(z.string(), z.unknown()),
      }),
    }),
  ),
});

/**
 * Langfuse's ingestion, according to its API description: 207 with a status for each event. A score with the same id is replaced; an event
 * with a known id is ignored.
 */
export function startLangfuse(answerTo: (name: string) => number = () => 201): Promise<ScoreBackendSink> {
  const seen = new Set<string>();
  return startBackend((sink, method, path, body) => {
    if (method !== "POST" || path !== "/api/public/ingestion") return { status: 405, body: {} };
    const parsed = ingestion.safeParse(body);
    if (!parsed.success) return { status: 400, body: {} };
    const successes: object[] = [];
    const errors: object[] = [];
    for (const { id: eventId, body: score } of parsed.data.batch) {
      const { id, name, value, comment: explanation, metadata, traceId, observationId, dataType } = score;
      const isTyped = (dataType === "CATEGORICAL") === (typeof value === "string");
      const status = isTyped ? answerTo(name) : 400;
      if (status >= 300) {
        errors.push({ id: eventId, status, message: "no" });
        continue;
      }
      successes.push({ id: eventId, status });
      if (seen.has(eventId)) continue;
      seen.add(eventId);
      const target = observationId === undefined ? traceId : `${traceId}/${observationId}`;
      sink.scores.set(id, { name, target, value, explanation, metadata, by: dataType });
    }
    return { status: 207, body: { successes, errors } };
  });
}
