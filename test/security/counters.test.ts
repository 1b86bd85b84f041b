import { request } from "node:http";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { serve } from "../support/serve.ts";
import type { Collector } from "../../src/collector/inputs/live-port.ts";
import { securityDefaults } from "../../src/support/security/settings.ts";
import { createLog } from "../../src/support/telemetry/log/log.ts";

let live: Collector;
const logged: string[] = [];
const admin = ["admin", "token"].join("-");
const reader = ["reader", "token"].join("-");
const sender = ["sender", "token"].join("-");

beforeAll(async () => {
  live = await serve({
    log: createLog({ level: "warn", format: "json", stream: { write: (line) => logged.push(line) } }),
    maxBody: 100_000,
    security: {
      ...securityDefaults,
      tokens: [
        { name: null, file: null, token: sender, scopes: ["ingest"] },
        { name: null, file: null, token: reader, scopes: ["read"] },
        { name: null, file: null, token: admin, scopes: ["admin"] },
      ],
    },
  });
});
afterAll(async () => {
  await live.stop(500);
});

type Headers = Readonly<Record<string, string>>;

function ask(
  address: string,
  method: string,
  path: string,
  headers: Headers,
  body: string | Buffer = "",
): Promise<number> {
  const { hostname, port } = new URL(`http://${address}`);
  return new Promise((resolve) => {
    const sent = request({ hostname, port, method, path, headers, agent: false }, (answer) => {
      answer.resume();
      answer.on("end", () => resolve(answer.statusCode ?? 0));
    });
    sent.on("error", () => resolve(0));
    sent.end(body);
  });
}

/** Every counter that is not zero, with its labels. */
async function counters(): Promise<Map<string, number>> {
  const response = await fetch(`http://${live.listening.admin}/metrics`, {
    headers: { authorization: `Bearer ${reader}` },
  });
  const lines = (await response.text()).split("\n").filter((line) => /^tracejury_\w+_total[{ ]/.test(line));
  return new Map(
    lines.map((line) => [line.slice(0, line.lastIndexOf(" ")), Number(line.slice(line.lastIndexOf(" ")))]),
  );
}

const OTLP = { authorization: `Bearer ${sender}`, "content-type": "application/json" };
const badSpan = JSON.stringify({
  resourceSpans: [{ scopeSpans: [{ spans: [{ traceId: "00", spanId: "11" }] }] }],
});
const sends = (headers: Headers, body: string | Buffer) => () =>
  ask(live.listening.http ?? "", "POST", "/v1/traces", headers, body);
const asks = (method: string, path: string, headers: Headers) => () =>
  ask(live.listening.admin ?? "", method, path, headers);

const received = (outcome: string): string =>
  `receiver_requests_total{transport="http",signal="traces",outcome="${outcome}"`;
const refusedAdmin = (reason: string): string => `admin_refused_requests_total{reason="${reason}"`;
const read = { authorization: `Bearer ${reader}` };
const inflating = gzipSync(Buffer.alloc(200_000));

test.each<[string, () => Promise<number>, number, string]>([
  ["a malformed body", sends(OTLP, "{"), 400, received("malformed")],
  ["a body that is too large", sends(OTLP, " ".repeat(100_001)), 413, received("too_large")],
  [
    "a body that inflates too far",
    sends({ ...OTLP, "content-encoding": "gzip" }, inflating),
    413,
    received("too_large"),
  ],
  ["no credentials", sends({ "content-type": "application/json" }, "{}"), 401, received("unauthenticated")],
  ["credentials of another scope", sends({ ...OTLP, ...read }, "{}"), 403, received("forbidden")],
  [
    "an unknown coding",
    sends({ ...OTLP, "content-encoding": "br" }, "{}"),
    415,
    received("unsupported_encoding"),
  ],
  ["a span without ids", sends(OTLP, badSpan), 200, "receiver_refused_spans_total"],
  [
    "a rebound name at the admin port",
    asks("GET", "/api/status", { host: "evil.example" }),
    403,
    refusedAdmin("host"),
  ],
  [
    "a change by a foreign page",
    asks("POST", "/api/v1/reload", { origin: "https://evil.example" }),
    403,
    refusedAdmin("origin"),
  ],
  ["the admin port without credentials", asks("GET", "/api/status", {}), 401, refusedAdmin("credentials")],
  ["a change with credentials to read", asks("POST", "/api/v1/reload", read), 403, refusedAdmin("scope")],
])(
  "%s increments exactly one counter each time, and writes no log line",
  async (_, refused, status, counter) => {
    const before = await counters();
    const lines = logged.length;
    for (let i = 0; i < 3; i++) expect(await refused()).toBe(status);
    const after = await counters();
    const moved = [...after].filter(([name, count]) => count !== (before.get(name) ?? 0));
    const refusals = moved.filter(([name]) => !/receiver_bytes|outcome="accepted"/.test(name));
    expect(refusals.map(([name]) => name)).toEqual([expect.stringContaining(counter)]);
    expect(refusals.map(([name, count]) => count - (before.get(name) ?? 0))).toEqual([3]);
    expect(logged.length).toBe(lines);
  },
);
