import { readFileSync } from "node:fs";
import http from "node:http";
import https from "node:https";
import { expect, test } from "vitest";
import type { JudgedRun } from "../../src/pipeline/judge-run.ts";
import { securityDefaults } from "../../src/support/security/settings.ts";
import { providerOf } from "../model-server/record/recorded.ts";
import { answerOf, ScriptedResponder, serverOf } from "../model-server/scripted.ts";
import { until } from "../support/eventually.ts";
import { specOf } from "../support/spec-of.ts";
import { metricsOf, serve } from "../support/serve.ts";
import { StoppedClock } from "../support/stopped-clock.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const calls = [{ id: "c1", name: "weather", arguments: { city: "Paris" } }];
const asked = [{ role: "user", content: "Weather?" }];
const history = [
  ...asked,
  {
    role: "assistant",
    content: null,
    tool_calls: [
      { id: "c1", type: "function", function: { name: "weather", arguments: '{"city":"Paris"}' } },
    ],
  },
  { role: "tool", tool_call_id: "c1", content: "18 C" },
];
const token = { name: null, token: "let-me-in", file: null, scopes: ["ingest" as const] };
const security = { ...securityDefaults, tokens: [token] };

test("an agent is watched by its base URL: journal, forwarding, one run, and each request in one counter", async () => {
  const script = [answerOf({ calls, finish: "tool_call" }), answerOf({ text: "18 C", finish: "stop" })];
  const provider = await serverOf(new ScriptedResponder(script));
  const forwarded: string[] = [];
  const backend = await providerOf((request, response) => {
    request.setEncoding("utf8").on("data", (text: string) => forwarded.push(text));
    request.on("end", () => response.end());
  });
  const judged: JudgedRun[] = [];
  const clock = new StoppedClock();
  const live = await serve({
    dataDir: temporaryFolder(),
    forwardTo: [{ endpoint: backend }],
    models: {
      address: "127.0.0.1:0",
      providers: [{ name: "openai", base: new URL(`${provider.baseUrl()}/v1`) }],
    },
    security,
    timeouts: { idleMs: 200, rootQuietMs: 100, rootOpenMs: 150 },
    specs: [specOf('agent: "*"\nqueries: [{ query: "*", path: { max_tool_calls: 3 } }]\n')],
    onJudged: (one) => judged.push(one),
    now: clock.now,
  });
  const base = `http://${live.listening.models}/r/support/openai/v1`;
  const ask = async (path: string, body: object, proxyToken = "let-me-in"): Promise<number> => {
    const headers = { authorization: "Bearer sk-used", "proxy-authorization": `Bearer ${proxyToken}` };
    const response = await fetch(`${base}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
    await response.text();
    return response.status;
  };

  const statuses = [
    await ask("/chat/completions", { model: "m", messages: asked }),
    await ask("/chat/completions", { model: "m", messages: history }),
    await ask("/files", {}),
    await ask("/chat/completions", { model: "m", messages: asked }, "wrong"),
  ];
  expect(statuses).toEqual([200, 200, 404, 401]);
  const counted = async (): Promise<object> => {
    const metrics = await metricsOf(live);
    const lines = [...metrics.matchAll(/^tracejury_receiver_model_calls\w*\{(.*?)\} (\d+)/gm)];
    return Object.fromEntries(
      lines.map(([, labels = "", count]) => [/outcome="(\w+)"/.exec(labels)?.[1], Number(count)]),
    );
  };
  // A call is counted when its span is taken, which is after its answer.
  await until(async () => JSON.stringify(await counted()).includes('"recorded":2'));
  clock.start();
  await until(() => judged.length > 0);
  const counts = await counted();
  await live.stop(10_000);

  expect(counts).toEqual({ recorded: 2, passed_on: 1, unauthenticated: 1 });
  expect(
    judged.map(({ run }) => [run.service, run.query, run.answer, run.llmCalls, run.tools.length]),
  ).toEqual([["support", "Weather?", "18 C", 2, 1]]);
  expect(forwarded.join("").match(/"tracejury\/models"/g)).toHaveLength(2);
  expect(forwarded.join("")).not.toContain("sk-used");
});

test("an address that others reach needs a token", async () => {
  const models = { address: "0.0.0.0:0", providers: [] };

  await expect(serve({ models })).rejects.toThrow("receivers.models: other machines can reach");
});

test("security.receive_tls is that of this port, too", async () => {
  const provider = await serverOf(new ScriptedResponder([answerOf({ text: "18 C" })]));
  const receiveTls = {
    certFile: "test/fixtures/tls/server.pem",
    keyFile: "test/fixtures/tls/server.key",
    clientCaFile: null,
    minVersion: "TLSv1.2" as const,
  };
  const live = await serve({
    models: {
      address: "127.0.0.1:0",
      providers: [{ name: "openai", base: new URL(`${provider.baseUrl()}/v1`) }],
    },
    security: { ...security, receiveTls },
  });
  const ask = (origin: string): Promise<number | string> =>
    new Promise((resolve) => {
      const send = origin.startsWith("https:") ? https.request : http.request;
      const url = `${origin}//${live.listening.models}/r/support/openai/v1/chat/completions`;
      const request = send(url, {
        method: "POST",
        headers: { "proxy-authorization": "Bearer let-me-in" },
        ...(origin === "https:" ? { ca: readFileSync("test/fixtures/tls/authority.pem") } : {}),
      });
      request.once("response", (response) => resolve(response.resume().statusCode ?? 0));
      request.once("error", () => resolve("refused"));
      request.end(JSON.stringify({ model: "m", messages: asked }));
    });

  expect([await ask("https:"), await ask("http:")]).toEqual([200, "refused"]);
  await live.stop(10_000);
});
