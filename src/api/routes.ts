import { Hono } from "hono";
import type { Guard } from "../security/guard.ts";
import { page } from "./page.ts";
import { type Problem, problemResponse } from "./problem.ts";
import { refusal, refusalHeaders } from "./refusal.ts";
import type { StoredVerdict, VerdictStore } from "./store.ts";
import { badParameter, parseVerdictQuery } from "./verdict-query.ts";

export interface Readiness {
  readonly ready: boolean;
  /** Why not; empty when ready. */
  readonly reasons: readonly string[];
}

export interface RouteOptions {
  readonly store: VerdictStore;
  /** All metrics as Prometheus text. */
  readonly metricsHandler: () => Promise<string>;
  readonly ready: () => Readiness;
  /** What `/api/status` shows; any JSON object. */
  readonly status: () => object;
  /** Host names with a dot that requests may name, besides addresses and localhost. */
  readonly allowedHosts?: () => readonly string[];
  /** Everybody may do everything when absent. */
  readonly guard?: Guard;
  /** Told of errors of our own. */
  readonly onError?: (error: Error) => void;
}

const prometheusText = "text/plain; version=0.0.4; charset=utf-8";
const json = { "content-type": "application/json; charset=utf-8" };

/** Every answer of the admin port; reads only. */
export function createRoutes(options: RouteOptions): Hono {
  const { store, metricsHandler, ready, status } = options;
  const app = new Hono();
  app.use(async (context, next) => {
    const refused = refusal(context.req, options);
    if (refused !== undefined) {
      context.res = problemResponse(refused, refusalHeaders[refused.status]);
    } else {
      await next();
    }
    for (const [name, value] of Object.entries(safeHeaders)) {
      if (!context.res.headers.has(name)) context.res.headers.set(name, value);
    }
  });
  app.get("/healthz", () => Response.json({ status: "ok" }));
  app.get("/readyz", () => {
    const { ready: isReady, reasons } = ready();
    return Response.json({ ready: isReady, reasons }, { status: isReady ? 200 : 503 });
  });
  app.get(
    "/metrics",
    async () => new Response(await metricsHandler(), { headers: { "content-type": prometheusText } }),
  );
  app.get("/api/status", () => Response.json(status()));
  app.get("/api/v1/verdicts", async (context) => listVerdicts(store, new URL(context.req.url).searchParams));
  app.get("/api/v1/verdicts/:id", async (context) =>
    oneVerdict(store, context.req.param("id"), context.req.query("revision")),
  );
  app.get("/api/v1/runs/:id", async (context) => oneRun(store, context.req.param("id")));
  app.get("/", async () => page((await store.verdicts({}, 100, null))?.verdicts ?? []));
  app.notFound((context) => {
    const { method } = context.req;
    if (method !== "GET" && method !== "HEAD")
      return problemResponse(readsOnly(method), { allow: "GET, HEAD" });
    return problemResponse(notFound(`There is nothing at ${context.req.path}.`, "The path is not known."));
  });
  app.onError((error) => {
    options.onError?.(error);
    return problemResponse({
      status: 500,
      what: "The request failed.",
      why: "The collector hit an error of its own; its log has the details.",
      fix: "Try again; if it stays, report it with the log.",
    });
  });
  return app;
}

function readsOnly(method: string): Problem {
  return {
    status: 405,
    what: `${method} is not allowed.`,
    why: "This path only answers reads; telemetry goes to the OTLP ports.",
    fix: "Use GET, or send OTLP to port 4318 (HTTP) or 4317 (gRPC).",
  };
}

const safeHeaders = {
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
};

async function listVerdicts(store: VerdictStore, parameters: URLSearchParams): Promise<Response> {
  const query = parseVerdictQuery(parameters);
  if ("status" in query) return problemResponse(query);
  const found = await store.verdicts(query.filter, query.limit, query.cursor);
  if (found === undefined) {
    return problemResponse(
      badParameter("cursor", "is none that a page gave", "Use the `next` of the page before."),
    );
  }
  return new Response(`{"verdicts":${array(found.verdicts)},"next":${JSON.stringify(found.next)}}`, {
    headers: json,
  });
}

async function oneVerdict(store: VerdictStore, id: string, revision: string | undefined): Promise<Response> {
  if (revision !== undefined && !/^\d{1,9}$/.test(revision)) {
    return problemResponse(
      badParameter("revision", `is "${revision}"`, "Use a whole number, or leave it out."),
    );
  }
  const verdict = await store.verdict(id, revision === undefined ? null : Number(revision));
  if (verdict === undefined) return problemResponse(notFound(`There is no verdict "${id}".`, forgotten));
  return new Response(verdict.json, { headers: json });
}

async function oneRun(store: VerdictStore, id: string): Promise<Response> {
  const run = await store.run(id);
  if (run === undefined) return problemResponse(notFound(`There is no run "${id}".`, forgotten));
  return new Response(`${run.json.slice(0, -1)},"verdicts":${array(run.verdicts)}}`, { headers: json });
}

const forgotten = "The id is not known, or it is no longer among the recent ones that are kept.";

function notFound(what: string, why: string): Problem {
  return { status: 404, what, why, fix: "See /api/v1/verdicts for what is there." };
}

function array(verdicts: readonly StoredVerdict[]): string {
  return `[${verdicts.map((verdict) => verdict.json).join(",")}]`;
}
