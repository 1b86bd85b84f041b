import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { redactedJudges } from "../../src/cli/engine/redaction.ts";
import { defaultPatience } from "../../src/assemble/patience.ts";
import { startLive } from "../../src/cli/serve/live.ts";
import type { JudgeRequest } from "../../src/evaluate/judge/port.ts";
import { exportDefaults } from "../../src/export/settings.ts";
import { detectors } from "../../src/redact/detectors.ts";
import { Redactor } from "../../src/redact/redactor.ts";
import { loadSpec } from "../../src/spec/load.ts";
import { checks } from "../../src/evaluate/registry.ts";
import { createLog } from "../../src/telemetry/log.ts";
import { canaries } from "./canaries.ts";

const redact = {
  keys: ["*password*"],
  patterns: [{ pattern: String.raw`CUST-\d+`, replacement: "[customer]" }],
  detectors,
};
const all = canaries();
const text = (value: string) => ({ stringValue: value });

/** An agent whose every text holds secrets. */
function message(): object {
  const id = { traceId: "0af7651916cd43dd8448eb211c80319c" };
  const times = { startTimeUnixNano: "1700000000000000000", endTimeUnixNano: "1700000001000000000" };
  const attributes = all.map((canary, i) => ({ key: `k${i}`, value: text(canary) }));
  const messages = (role: string) =>
    text(JSON.stringify([{ role, parts: [{ type: "text", content: `${role}: ${all.join(" ")}` }] }]));
  const root = {
    ...id,
    ...times,
    spanId: "b7ad6b7169203331",
    name: "invoke_agent shop",
    attributes: [
      { key: "gen_ai.operation.name", value: text("invoke_agent") },
      { key: "gen_ai.agent.name", value: text("shop") },
      { key: "gen_ai.input.messages", value: messages("user") },
      { key: "gen_ai.output.messages", value: messages("assistant") },
      ...attributes,
    ],
    events: [{ name: "e", timeUnixNano: times.startTimeUnixNano, attributes }],
    links: [{ ...id, spanId: "b7ad6b7169203332", attributes }],
    status: { code: 2, message: all.join(" ") },
  };
  const tool = {
    ...id,
    ...times,
    spanId: "b7ad6b7169203332",
    parentSpanId: root.spanId,
    name: "execute_tool pay",
    attributes: [
      { key: "gen_ai.operation.name", value: text("execute_tool") },
      { key: "gen_ai.tool.name", value: text("pay") },
      { key: "gen_ai.tool.call.arguments", value: text(JSON.stringify({ password: "hunter22", to: all })) },
      { key: "gen_ai.tool.call.result", value: text(all.join("\n")) },
    ],
  };
  const resource = { attributes: [{ key: "service.name", value: text("shop") }, ...attributes] };
  return { resourceSpans: [{ resource, scopeSpans: [{ scope: { name: "s" }, spans: [root, tool] }] }] };
}

const spec = `
version: 1
agent: shop
queries:
  - query: "*"
    correctness: { expected_in_answer: ["${all[3]}", "not there"], not_in_answer: ["${all[60]}"] }
    path: { expected_tools: [refund] }
`;

test("no canary reaches the store, the API, an exported verdict or our log", async () => {
  const folder = mkdtempSync(join(tmpdir(), "tracejury-redact-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const loaded = loadSpec(
    { file: "shop.yaml", text: spec, realPath: "shop.yaml" },
    { checks, reader: { read: () => ({ ok: false, reason: "none" }) } },
  );
  const said: string[] = [];
  const live = await startLive({
    specs: loaded.ok ? [loaded.spec] : [],
    unasked: { judge: "off" },
    log: createLog({ level: "trace", format: "json", stream: { write: (line) => said.push(line) } }),
    settings: {
      http: "127.0.0.1:0",
      grpc: "off",
      admin: "127.0.0.1:0",
      maxBody: 2 ** 26,
      patience: { ...defaultPatience, rootQuietMs: 0, rootOpenMs: 0 },
      export: { ...exportDefaults, file: join(folder, "verdicts.jsonl"), content: true },
      attributes: ["k3", "k60"],
      prices: {},
      otelcolNames: false,
      redact,
      store: {
        mode: "sqlite",
        path: join(folder, "store.db"),
        telemetry: true,
        retention: { maxAgeMs: 1e12, maxBytes: 1e12 },
        perSecond: 100,
      },
    },
  });
  onTestFinished(() => live.stop(1_000));
  const headers = { "content-type": "application/json" };
  await fetch(`http://${live.listening.http}/v1/traces`, {
    method: "POST",
    headers,
    body: JSON.stringify(message()),
  });
  const api = async (path: string) => (await fetch(`http://${live.listening.admin}/${path}`)).text();
  await expect.poll(() => api("api/v1/verdicts"), { timeout: 10_000 }).toContain("verdict_id");
  const { verdicts } = JSON.parse(await api("api/v1/verdicts")) as {
    verdicts: { run_id: string; outcome: string }[];
  };
  const id = verdicts[0]?.run_id ?? "";
  const answers = await Promise.all(
    [
      "api/v1/verdicts",
      `api/v1/runs/${id}`,
      `api/v1/runs/${id}/spans`,
      `api/v1/runs/${id}/telemetry`,
      "metrics",
      "",
    ].map(api),
  );
  await live.stop(2_000);
  const files = readdirSync(folder).map((name) => readFileSync(join(folder, name), "latin1"));
  const everywhere = [...answers, ...files, ...said].join("\n");

  expect(verdicts).toHaveLength(1);
  for (const words of ["[customer]", "[key]", "[email]", "[card]"]) expect(everywhere).toContain(words);
  expect(everywhere).not.toContain("hunter22");
  expect(all.filter((canary) => everywhere.includes(canary))).toEqual([]);
});

test("judges are shown none either", async () => {
  const seen: JudgeRequest[] = [];
  const port = redactedJudges(
    {
      ask: (request) => {
        seen.push(request);
        return Promise.resolve({
          ok: true,
          json: {},
          usage: { input: 1, output: 1, cached: null },
          durationMs: 1,
          cached: false,
          cutOff: false,
        });
      },
      unavailable: () => null,
    },
    new Redactor(redact),
  );
  await port.ask({ user: all.join("\n"), system: all.join(" "), model: "m" } as JudgeRequest);
  const shown = `${seen[0]?.user}${seen[0]?.system}`;
  expect(shown).toContain("[customer]");
  expect(all.filter((canary) => shown.includes(canary))).toEqual([]);
});
