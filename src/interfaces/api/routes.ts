import { createHash } from "node:crypto";
import { Hono } from "hono";
import type { Guard } from "../../support/security/guard.ts";
import { type PageFiles, viewPaths } from "./page/page-files.ts";
import { refusal, refusalHeaders, type RefusalReason, refusalReason } from "./http/refusal.ts";
import { type Endpoint, notFound, type Problem, problemResponse } from "./http/endpoint.ts";
import { type Reloaded, reloadEndpoints } from "./endpoints/reload.ts";
import { systemEndpoints, type SystemReading } from "./endpoints/system.ts";
import { verdictEndpoints } from "./endpoints/verdicts.ts";
import { openApi } from "./http/openapi.ts";
import { serveEndpoints } from "./http/serve-endpoints.ts";
import type { StoredVerdict, VerdictStore } from "../../store/archive.ts";
import { version } from "../../support/process/version.ts";

const style =
  "body{font:15px/1.5 system-ui,sans-serif;margin:2rem;color:#1d2733;background:#fff}" +
  "table{border-collapse:collapse}th,td{text-align:left;padding:.3rem .9rem .3rem 0;border-bottom:1px solid #dde3ea}" +
  ".fail,.error{color:#b3261e}.warn,.incomplete{color:#8a5a00}.pass{color:#1b6e3c}";

const policy = `default-src 'none'; style-src 'sha256-${createHash("sha256").update(style).digest("base64")}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

export interface Readiness {
  readonly ready: boolean;
  /** Reasons why the process is not ready; empty if it is ready. */
  readonly reasons: readonly string[];
  /** Damage found on disk since the start. Damaged records are lost; telemetry is still accepted. */
  readonly damage?: readonly string[];
}

export interface RouteOptions {
  readonly store: VerdictStore;
  /** Creates the endpoints that need a persistent store. */
  readonly archive?: ((now: () => number) => readonly Endpoint[]) | undefined;
  /** Further data that the collector reports about itself. */
  readonly system?: Pick<SystemReading, "specs" | "config" | "doctor" | "proposedSpecs">;
  readonly now?: () => number;
  /** The web page. If absent, a plain table of verdicts is served instead. */
  readonly page?: PageFiles | undefined;
  /** Returns all metrics as Prometheus text. */
  readonly metricsHandler: () => Promise<string>;
  readonly ready: () => Readiness;
  /** Returns the content of `/api/status`. */
  readonly status: () => object | Promise<object>;
  /** Reloads specs and configuration. Absent if the process cannot reload. */
  readonly reload?: (() => Promise<Reloaded | null>) | undefined;
  /**
   * Returns the host names with a dot that are allowed in the `Host` header. Host names without a dot, IP addresses and localhost are
   * always allowed.
   */
  readonly allowedHosts?: () => readonly string[];
  /** Checks the credentials of requests. If absent, all requests are allowed. */
  readonly guard?: Guard;
  /** Counts a refused request. */
  readonly onRefused?: (reason: RefusalReason) => void;
  /** Called when telemetry was sent to this path of the admin port instead of to a receiver. */
  readonly onTelemetry?: (path: string) => void;
  readonly onError?: (error: Error) => void;
}

const otlpPath = /^\/v1\/(?:traces|logs|metrics)$/;
const prometheusText = "text/plain; version=0.0.4; charset=utf-8";

export function createRoutes(options: RouteOptions): Hono {
  const { store, ready, status } = options;
  const metricsHandler = coalesced(options.metricsHandler);
  const app = new Hono();
  app.use(async (context, next) => {
    const refused = refusal(context.req, options);
    if (refused !== undefined) {
      options.onRefused?.(refusalReason(refused));
      context.res = problemResponse(refused, refusalHeaders[refused.status]);
    } else {
      await next();
      // Hono handles HEAD like GET and drops the body, but does not end the body's stream, so it is cancelled here.
      if (context.req.raw.method === "HEAD") await context.res.body?.cancel();
      else context.res = whileAdmitted(context.res, () => refusal(context.req, options) === undefined);
    }
    for (const [name, value] of Object.entries(safeHeaders)) {
      if (!context.res.headers.has(name)) context.res.headers.set(name, value);
    }
  });
  app.get("/healthz", () => Response.json({ status: "ok" }));
  app.get("/readyz", () => {
    const readiness = ready();
    return Response.json(readiness, { status: readiness.ready ? 200 : 503 });
  });
  app.get(
    "/metrics",
    async () => new Response(await metricsHandler(), { headers: { "content-type": prometheusText } }),
  );
  app.get("/api/status", async () => Response.json(await status()));
  const now = options.now ?? Date.now;
  const endpoints = [
    ...verdictEndpoints(store, now),
    ...(options.archive?.(now) ?? []),
    ...systemEndpoints({ metrics: metricsHandler, status, ready, ...options.system }),
    ...reloadEndpoints(options.reload),
  ];
  serveEndpoints(app, endpoints);
  app.get("/api/v1/openapi.json", () => Response.json(openApi(endpoints, version)));
  servePage(app, options);
  app.notFound((context) => {
    const { method, path } = context.req;
    if (method === "POST" && otlpPath.test(path)) options.onTelemetry?.(path);
    if (method !== "GET" && method !== "HEAD")
      return problemResponse(readsOnly(method), { allow: "GET, HEAD" });
    return problemResponse(notFound(`There is nothing at ${path}.`, "The path is unknown."));
  });
  app.onError((error) => {
    options.onError?.(error);
    return problemResponse({
      status: 500,
      what: "The request failed.",
      why: "An internal error; the collector's log has the details.",
      fix: "Try again; if the error occurs again, report it with the log.",
    });
  });
  return app;
}

/**
 * Returns an event stream that ends before its next event if the request would now be refused, because a reload removed its credentials.
 * Returns any other response unchanged.
 */
function whileAdmitted(response: Response, isAdmitted: () => boolean): Response {
  const { body, headers } = response;
  if (body === null || headers.get("content-type") !== "text/event-stream") return response;
  const checking = new TransformStream<Uint8Array, Uint8Array>({
    transform: (chunk, controller) => {
      if (isAdmitted()) controller.enqueue(chunk);
      else controller.terminate();
    },
  });
  return new Response(body.pipeThrough(checking), response);
}

/** Returns a function whose concurrent calls share one call of `make`, so that many concurrent requests cost only as much as one. */
function coalesced(make: () => Promise<string>): () => Promise<string> {
  let making: Promise<string> | undefined;
  return () => {
    making ??= make().finally(() => setImmediate(() => (making = undefined)));
    return making;
  };
}

function servePage(app: Hono, { page: files, store }: RouteOptions): void {
  if (files === undefined) {
    app.get("/", async () => page((await store.verdicts({}, 100, null))?.verdicts ?? []));
    return;
  }
  for (const path of viewPaths) app.get(path, () => files.index());
  app.get("/ui/:name", (context) => files.file(context.req.param("name")) ?? context.notFound());
}

function readsOnly(method: string): Problem {
  return {
    status: 405,
    what: `${method} is not allowed.`,
    why: "This path accepts only GET requests, and the admin port accepts no telemetry.",
    fix: "Use GET, or send OTLP to the receiver, by default on port 4318 (HTTP) or 4317 (gRPC).",
  };
}

const safeHeaders = {
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
};

/** Returns recent verdicts as an HTML table without scripts. Untrusted text is escaped. */
function page(verdicts: readonly StoredVerdict[]): Response {
  const body =
    verdicts.length === 0
      ? "<p>No verdicts yet. Point an agent's OTLP exporter at the receiver, by default port 4318.</p>"
      : `<table><tr><th>Outcome</th><th>Agent</th><th>Query</th><th>Spec</th><th>Judged</th></tr>${verdicts.map(row).join("")}</table>`;
  const html = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Tracejury</title><style>${style}</style><h1>Recent verdicts</h1>${body}</html>`;
  return new Response(html, {
    headers: { "content-type": "text/html; charset=utf-8", "content-security-policy": policy },
  });
}

function row(verdict: StoredVerdict): string {
  const { verdictId, outcome, agent, queryId, spec, judgedUnixMs } = verdict;
  const link = `<a href="/api/v1/verdicts/${encodeURIComponent(verdictId)}">${escaped(queryId)}</a>`;
  const cells = [escaped(agent ?? "unknown"), link, escaped(spec), new Date(judgedUnixMs).toISOString()];
  return `<tr><td class="${outcome}">${outcome}</td>${cells.map((cell) => `<td>${cell}</td>`).join("")}</tr>`;
}

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
