import { readFileSync } from "node:fs";
import { clickhouse, type Document, jaeger, langfuse, mlflow, phoenix, tempo } from "../dump/stores.ts";
import { type Answering, reply } from "./store-server.ts";

/* Stores that hold a few recorded traces, with the pages and limits of the real APIs. */

/** A trace by itself. */
export interface StoredTrace {
  readonly traceId: string;
  readonly startMs: number;
  readonly service: string;
  readonly document: Document;
}

const recordings = ["rag-install", "rag-aws", "rag-weather-fixed"].map(
  (name) => `test/fixtures/runs/${name}.langgraph.jsonl`,
);

/** The traces of three recordings, newest first. */
export function recordedTraces(files: readonly string[] = recordings): StoredTrace[] {
  return files.map(traceOf).sort((a, b) => b.startMs - a.startMs);
}

function traceOf(file: string): StoredTrace {
  const lines = readFileSync(file, "utf8").split("\n").filter(Boolean);
  const resourceSpans = lines.flatMap((line) => (JSON.parse(line) as Document).resourceSpans ?? []);
  const spans = resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans));
  const [first] = spans;
  if (first === undefined || spans.some(({ traceId }) => traceId !== first.traceId))
    throw new Error(`${file} is to hold one trace`);
  const startMs = Math.min(...spans.map(({ startTimeUnixNano: at }) => Number(BigInt(at) / 1_000_000n)));
  const service = resourceSpans[0]?.resource?.attributes?.find(({ key }) => key === "service.name");
  return {
    traceId: first.traceId,
    startMs,
    service: String(service?.value["stringValue"]),
    document: { resourceSpans },
  };
}

/** Phoenix with so many traces, and so many spans, on a page at most. */
export function phoenixStore(traces: readonly StoredTrace[], tracesOnPage = 2, spansOnPage = 10): Answering {
  return ({ path, query }) => {
    const from = Number(query.get("cursor") ?? 0);
    const page = (items: readonly object[], most: number): object => {
      const end = from + Math.min(most, Number(query.get("limit")));
      return { data: items.slice(from, end), next_cursor: end < items.length ? String(end) : null };
    };
    if (path === "/v1/projects/shop/traces") {
      const [since, until] = ["start_time", "end_time"].map((name) => Date.parse(query.get(name) ?? ""));
      const found = traces.filter(({ startMs }) => startMs >= (since ?? NaN) && startMs < (until ?? NaN));
      return page(
        found.map(({ traceId }) => ({ id: traceId, trace_id: traceId })),
        tracesOnPage,
      );
    }
    if (path !== "/v1/projects/shop/spans") return undefined;
    const ids = query.getAll("trace_id");
    const wanted = traces.filter(({ traceId }) => ids.includes(traceId)).map(({ document }) => document);
    return page((phoenix(wanted) as { data: object[] }).data, spansOnPage);
  };
}

/** Jaeger's query API of either version; without order, as some of its storages. */
export function jaegerStore(traces: readonly StoredTrace[], version: "v1" | "v3"): Answering {
  return ({ path, query }) => {
    const services = ["jaeger", ...new Set(traces.map(({ service }) => service))];
    const prefix = version === "v1" ? "" : "query.";
    const between = (since: number, until: number, most: number): StoredTrace[] =>
      traces
        .filter(({ service }) => service === query.get(`${prefix}service${version === "v1" ? "" : "_name"}`))
        .filter(({ startMs }) => startMs >= since && startMs <= until)
        .reverse()
        .slice(0, most);
    if (version === "v1") {
      if (path === "/api/services") return { data: services };
      if (path !== "/api/traces") return undefined;
      const [start, end, limit] = ["start", "end", "limit"].map((name) => Number(query.get(name)));
      return jaeger(
        between((start ?? 0) / 1000, (end ?? 0) / 1000, limit ?? 0).map(({ document }) => document),
      );
    }
    if (path === "/api/v3/services") return { services };
    if (path !== "/api/v3/traces") return undefined;
    const [start, end] = ["min", "max"].map((edge) =>
      Date.parse(query.get(`query.start_time_${edge}`) ?? ""),
    );
    const found = between(start ?? 0, end ?? 0, Number(query.get("query.search_depth")));
    return { result: { resourceSpans: found.flatMap(({ document }) => document.resourceSpans ?? []) } };
  };
}

/** Tempo's search, and its traces by id. */
export function tempoStore(traces: readonly StoredTrace[], version: "v1" | "v2"): Answering {
  return ({ path, query }) => {
    if (path === "/api/search") {
      const [start, end, limit] = ["start", "end", "limit"].map((name) => Number(query.get(name)));
      const found = traces.filter(
        ({ startMs }) => startMs >= (start ?? 0) * 1000 && startMs < (end ?? 0) * 1000,
      );
      return {
        traces: found.slice(0, limit).map(({ traceId }) => ({ traceID: traceId.replace(/^0+/, "") })),
      };
    }
    const id = path.split("/").at(-1);
    const trace = traces.find(({ traceId }) => traceId === id);
    if (trace === undefined || path.startsWith("/api/v2") !== (version === "v2")) return undefined;
    return tempo([trace.document], version);
  };
}

/** MLflow's experiment `shop`, which has the id 7. */
export function mlflowStore(traces: readonly StoredTrace[], tracesOnPage = 2): Answering {
  return ({ path, query, body }) => {
    if (path === "/api/2.0/mlflow/experiments/get-by-name")
      return query.get("experiment_name") === "shop" ? { experiment: { experiment_id: "7" } } : undefined;
    if (path === "/api/3.0/mlflow/traces/search") {
      const asked = JSON.parse(body) as {
        readonly locations: readonly { readonly mlflow_experiment: { readonly experiment_id: string } }[];
        readonly filter: string;
        readonly page_token?: string;
      };
      if (asked.locations[0]?.mlflow_experiment.experiment_id !== "7") return { traces: [] };
      const [since = 0, until = 0] = [...asked.filter.matchAll(/\d{10,}/g)].map(Number);
      const found = traces.filter(({ startMs }) => startMs >= since && startMs < until);
      const from = Number(asked.page_token ?? 0);
      const end = from + tracesOnPage;
      return {
        traces: found.slice(from, end).map(({ traceId, service }) => ({
          trace_id: `tr-${traceId}`,
          tags: { "service.name": service, "mlflow.user": "me" },
        })),
        ...(end < found.length ? { next_page_token: String(end) } : {}),
      };
    }
    if (path !== "/ajax-api/2.0/mlflow/get-trace-artifact") return undefined;
    const trace = traces.find(({ traceId }) => `tr-${traceId}` === query.get("request_id"));
    return trace && mlflow([trace.document]);
  };
}

/** Langfuse's list of traces, and its traces with their observations. */
export function langfuseStore(traces: readonly StoredTrace[], tracesOnPage = 2): Answering {
  return ({ path, query }) => {
    if (path === "/api/public/traces") {
      const [since, until] = ["fromTimestamp", "toTimestamp"].map((name) =>
        Date.parse(query.get(name) ?? ""),
      );
      const found = traces.filter(({ startMs }) => startMs >= (since ?? 0) && startMs < (until ?? 0));
      const page = Number(query.get("page"));
      const data = found.slice((page - 1) * tracesOnPage, page * tracesOnPage);
      return {
        data: data.map(({ traceId }) => ({ id: traceId, name: "agent" })),
        meta: { page, limit: tracesOnPage, totalPages: Math.ceil(found.length / tracesOnPage) },
      };
    }
    const trace = traces.find(({ traceId }) => path === `/api/public/traces/${traceId}`);
    return trace && { id: trace.traceId, name: "agent", ...langfuse([trace.document]) };
  };
}

/** The table `otel.otel_traces` behind ClickHouse's HTTP interface. */
export function clickhouseStore(traces: readonly StoredTrace[]): Answering {
  return ({ path, query }) => {
    const sql = query.get("query") ?? "";
    if (path !== "/" || !sql.includes("FROM `otel`.`otel_traces`")) return reply(404, "UNKNOWN_TABLE");
    if (!sql.includes(" IN (")) {
      const [since, until, offset] = ["since", "until", "offset"].map((name) =>
        Number(query.get(`param_${name}`)),
      );
      const found = traces.filter(({ startMs }) => startMs >= (since ?? 0) && startMs < (until ?? 0));
      return { data: found.slice(offset).map(({ traceId }) => ({ TraceId: traceId })) };
    }
    return {
      data: clickhouse(
        traces.filter(({ traceId }) => sql.includes(`'${traceId}'`)).map(({ document }) => document),
      ),
    };
  };
}
