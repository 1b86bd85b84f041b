import { request } from "node:http";
import { beforeEach, describe, expect, test } from "vitest";
import type { Admin } from "../../src/interfaces/api/http/admin.ts";
import { createRecentStore, type RecentStore } from "../../src/interfaces/api/recent/recent-store.ts";
import type { Readiness } from "../../src/interfaces/api/routes.ts";
import { Guard } from "../../src/support/security/guard.ts";
import type { AgentRun } from "../../src/model/run.ts";
import type { Verdict } from "../../src/model/verdict.ts";
import { adminOfTest } from "./admin-of-test.ts";
import { checkOf, judgedRun, verdictOf } from "../support/verdict-of.ts";

let admin: Admin;
let store: RecentStore;
let ready: Readiness;

beforeEach(async () => {
  store = emptyStore();
  ready = { ready: true, reasons: [] };
  admin = await adminOfTest({
    store,
    metricsHandler: () => Promise.resolve("# all metrics\n"),
    ready: () => ready,
    status: () => ({ version: "1.2.3" }),
    allowedHosts: () => ["jury.example.com"],
  });
});

/** A minute passes between any two additions. */
function emptyStore(limits: { mostVerdicts?: number } = {}): RecentStore {
  let unixMs = 0;
  return createRecentStore({
    renderVerdict: ({ verdictId, revision, outcome }: Verdict) =>
      JSON.stringify({ verdict_id: verdictId, revision, outcome }),
    renderRun: ({ runId, answer }: AgentRun) => JSON.stringify({ run_id: runId, answer }),
    now: () => (unixMs += 60_000),
    ...limits,
  });
}

function addVerdict(to: RecentStore, verdict: Verdict, judgedUnixMs: number): void {
  to.add({ shown: undefined, verdicts: [verdict] }, new Set(), judgedUnixMs);
}

interface Answer {
  readonly status: number;
  readonly headers: Record<string, unknown>;
  readonly text: string;
}

function get(path: string, headers: Record<string, string> = {}, method = "GET"): Promise<Answer> {
  const { host, port } = admin.listening;
  return new Promise((resolve, reject) => {
    const sent = request({ host, port, path, headers, method }, (response) => {
      let text = "";
      response.on("data", (chunk: Buffer) => (text += chunk.toString()));
      response.on("end", () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text }),
      );
    });
    sent.on("error", reject);
    sent.end();
  });
}

async function ids(path: string): Promise<string[]> {
  const { verdicts } = JSON.parse((await get(path)).text) as { verdicts: { verdict_id: string }[] };
  return verdicts.map((verdict) => verdict.verdict_id);
}

const failed = verdictOf([checkOf({ check: "regex_match", layer: "correctness", outcome: "fail" })], {
  verdictId: "bad",
  run: judgedRun({
    agent: "Trip-Planner",
    traceId: "a".repeat(32),
    traceIds: ["a".repeat(32), "b".repeat(32)],
  }),
});

describe("health", () => {
  test("/healthz is well while the process lives, /readyz says why it is not ready", async () => {
    ready = { ready: false, reasons: ["no spec is loaded"] };
    expect((await get("/healthz")).status).toBe(200);
    const answer = await get("/readyz");
    expect(answer.status).toBe(503);
    expect(JSON.parse(answer.text)).toEqual({ ready: false, reasons: ["no spec is loaded"] });
    ready = { ready: true, reasons: [] };
    expect((await get("/readyz")).status).toBe(200);
  });

  test("/metrics is Prometheus text, /api/status JSON", async () => {
    const metrics = await get("/metrics");
    expect(metrics.text).toBe("# all metrics\n");
    expect(metrics.headers["content-type"]).toBe("text/plain; version=0.0.4; charset=utf-8");
    expect(JSON.parse((await get("/api/status")).text)).toEqual({ version: "1.2.3" });
  });
});

describe("verdicts", () => {
  test("newest first, page by page, each once, also when new ones come in between", async () => {
    for (let n = 1; n <= 5; n++) addVerdict(store, verdictOf([], { verdictId: `v${n}` }), n);
    const first = JSON.parse((await get("/api/v1/verdicts?limit=2")).text) as { next: string };
    addVerdict(store, verdictOf([], { verdictId: "v6" }), 6);
    const second = JSON.parse((await get(`/api/v1/verdicts?limit=2&cursor=${first.next}`)).text) as {
      next: string;
    };
    expect(first).toMatchObject({ verdicts: [{ verdict_id: "v5" }, { verdict_id: "v4" }] });
    expect(second).toMatchObject({ verdicts: [{ verdict_id: "v3" }, { verdict_id: "v2" }] });
    const third = JSON.parse((await get(`/api/v1/verdicts?limit=2&cursor=${second.next}`)).text) as object;
    expect(third).toMatchObject({ verdicts: [{ verdict_id: "v1" }], next: null });
  });

  test.each([
    ["outcome=fail", ["bad"]],
    ["outcome=skip", ["fine"]],
    ["agent=trip_planner", ["bad"]],
    [`trace=${"B".repeat(32)}`, ["bad"]],
    ["query=museum", ["bad", "fine"]],
    ["query=museum&outcome=warn", []],
    [`run=${failed.run.runId}`, ["bad"]],
    ["spec=other", []],
  ])("narrowed by %s", async (query, expected) => {
    addVerdict(store, verdictOf([], { verdictId: "fine" }), 1);
    addVerdict(store, failed, 2);
    expect(await ids(`/api/v1/verdicts?${query}`)).toEqual(expected);
  });

  test.each(["outcome=bad", "limit=0", "limit=501", "limit=x", "agnet=a", "cursor=%21", "limit=1&limit=2"])(
    "%s is an error that says what would work",
    async (query) => {
      const answer = await get(`/api/v1/verdicts?${query}`);
      expect(answer.status).toBe(400);
      expect(JSON.parse(answer.text)).toEqual({
        error: {
          what: expect.stringContaining(query.split("=")[0] ?? ""),
          why: expect.any(String),
          fix: expect.any(String),
        },
      });
    },
  );

  test("one by its id: the newest revision, or the one asked for", async () => {
    for (const revision of [1, 2]) addVerdict(store, { ...failed, revision }, revision);
    expect(JSON.parse((await get("/api/v1/verdicts/bad")).text)).toMatchObject({ revision: 2 });
    expect(JSON.parse((await get("/api/v1/verdicts/bad?revision=1")).text)).toMatchObject({ revision: 1 });
    expect((await get("/api/v1/verdicts/bad?revision=3")).status).toBe(404);
    expect((await get("/api/v1/verdicts/bad?revision=-1")).status).toBe(400);
    expect((await get("/api/v1/verdicts/unknown")).status).toBe(404);
  });
});

test("a run comes in the shape of inspect, with its verdicts", async () => {
  store.add({ shown: failed.run, verdicts: [failed] }, new Set(), 1);
  expect(JSON.parse((await get(`/api/v1/runs/${failed.run.runId}`)).text)).toEqual({
    run_id: failed.run.runId,
    answer: "On Mondays.",
    verdicts: [{ verdict_id: "bad", revision: 1, outcome: "fail" }],
  });
  expect((await get("/api/v1/runs/none")).status).toBe(404);
});

describe("who may ask", () => {
  test("with credentials: reads need scope read, changes need admin, health checks need none", async () => {
    const guard = new Guard([
      { scheme: "bearer", secret: "reader", scopes: ["read"] },
      { scheme: "bearer", secret: "agent", scopes: ["ingest"] },
    ]);
    const closed = await adminOfTest({ guard });
    const base = `http://127.0.0.1:${closed.listening.port}`;
    const status = async (path: string, token?: string, method = "GET") => {
      const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
      return (await fetch(base + path, { method, headers })).status;
    };
    expect(await status("/healthz")).toBe(200);
    expect(await status("/readyz")).toBe(200);
    for (const path of ["/", "/metrics", "/api/status", "/api/v1/verdicts", "/unknown"]) {
      expect(await status(path)).toBe(401);
      expect(await status(path, "wrong")).toBe(401);
      expect(await status(path, "agent")).toBe(403);
      expect(await status(path, "reader")).toBe(path === "/unknown" ? 404 : 200);
    }
    expect(await status("/api/v1/verdicts", "reader", "POST")).toBe(403);
    expect((await fetch(`${base}/metrics`)).headers.get("www-authenticate")).toContain("Bearer");
    guard.replace([{ scheme: "bearer", secret: "other", scopes: ["read"] }]);
    expect(await status("/metrics", "reader")).toBe(401);
    expect(await status("/metrics", "other")).toBe(200);
  });

  test.each<[Record<string, string>, number]>([
    [{ origin: "https://evil.example" }, 403],
    [{ origin: "null" }, 403],
    [{ "sec-fetch-site": "cross-site" }, 403],
    [{ "sec-fetch-site": "same-site" }, 403],
    [{ "sec-fetch-site": "same-origin" }, 405],
    [{}, 405],
  ])("a change requested with %j gets status %i", async (headers, status) => {
    expect((await get("/api/v1/verdicts", headers, "POST")).status).toBe(status);
  });

  test.each(["127.0.0.1:4319", "10.1.2.3", "jury.example.com", "a.localhost"])(
    "host %s is answered",
    async (host) => expect((await get("/healthz", { host })).status).toBe(200),
  );

  test.each(["evil.example.com", "a b", "[::1"])("host %s is refused", async (host) =>
    expect((await get("/api/v1/verdicts", { host })).status).toBeOneOf([400, 403]),
  );

  test("no other origin may read, and nothing may be written", async () => {
    const answer = await get("/api/v1/verdicts", { origin: "https://evil.example.com" });
    expect(Object.keys(answer.headers).filter((name) => name.startsWith("access-control"))).toEqual([]);
    for (const method of ["POST", "PUT", "DELETE", "OPTIONS"]) {
      expect((await get("/api/v1/verdicts", {}, method)).status).toBe(405);
    }
    expect((await get("/healthz", {}, "HEAD")).status).toBe(200);
  });
});

test("the page shows texts of senders as text, under a policy that allows no script", async () => {
  const agent = `<img src=x onerror="alert('1')">&`;
  addVerdict(store, { ...failed, run: judgedRun({ agent }) }, 0);
  const answer = await get("/");
  expect(answer.text).not.toContain("<img");
  expect(answer.text).toContain("&#60;img src=x onerror=&#34;alert(&#39;1&#39;)&#34;&#62;&#38;");
  expect(answer.headers["content-security-policy"]).toMatch(/^default-src 'none'; style-src 'sha256-/);
});

test("an unknown path says where to look", async () => {
  const answer = await get("/api/v2/verdicts");
  expect(answer.status).toBe(404);
  expect(JSON.parse(answer.text)).toMatchObject({
    error: { fix: expect.stringContaining("/api/v1/verdicts") },
  });
});

test("an error of our own is told without its details", async () => {
  const errors: Error[] = [];
  const broken = await adminOfTest({
    metricsHandler: () => Promise.reject(new Error("secret path /etc")),
    onError: (error) => errors.push(error),
  });
  const response = await fetch(`http://127.0.0.1:${broken.listening.port}/metrics`);
  expect(response.status).toBe(500);
  expect(await response.text()).not.toContain("secret");
  expect(errors).toHaveLength(1);
});
