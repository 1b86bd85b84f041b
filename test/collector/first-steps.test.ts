import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import type { FirstStepsState } from "../../src/collector/inputs/live-port.ts";
import { FirstSteps } from "../../src/collector/terminal/first-steps.ts";
import { serveConfig } from "../chaos/serve-config.ts";
import { ServeProcess } from "../chaos/serve-process.ts";
import { until } from "../support/eventually.ts";
import { document, span } from "../support/otlp.ts";
import { runCli } from "../support/run-cli.ts";
import { inMemory, post, postRecording, serveInTest } from "../support/serve.ts";
import { traceIdOf } from "../support/spans.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const nothing: FirstStepsState = { runs: 0, specs: 0, withoutAgent: [] };
const shop = { service: "shop", kind: "HTTP server", scope: "http", traces: 2, spans: 6 };

/** One request of one trace, as an instrumented server without an agent sends it. */
function request(
  trace: number,
  { kind, scope, attributes }: { kind: number; scope: string; attributes: Record<string, string> },
  service?: string,
): string {
  const sent = span("a1", undefined, "GET /cart", 0, 1_000, attributes, { traceId: traceIdOf(trace), kind });
  return JSON.stringify(
    document([sent], { scope, resource: service === undefined ? {} : { "service.name": service } }),
  );
}

describe("what a newcomer may be waiting for in vain", () => {
  it("is said once, and again when there is ten times as much", () => {
    const steps = new FirstSteps("http://127.0.0.1:4319");
    const saidAt = Array.from({ length: 250 }, (_, runs) => runs).filter(
      (runs) => steps.due({ ...nothing, runs }).length > 0,
    );
    expect(saidAt).toEqual([1, 10, 100]);
  });

  it.each<[string, FirstStepsState, readonly string[]]>([
    ["nothing has come", nothing, []],
    ["runs have a spec", { ...nothing, runs: 12, specs: 1 }, []],
    [
      "runs have no spec",
      { ...nothing, runs: 12 },
      [
        "12 runs received, no spec yet: tracejury init --from http://127.0.0.1:4319 writes a spec from these runs",
      ],
    ],
    ["spans of a server came beside runs", { runs: 1, specs: 1, withoutAgent: [shop] }, []],
    [
      "spans have no agent",
      { ...nothing, specs: 1, withoutAgent: [shop] },
      [
        expect.stringMatching(
          /^6 received spans belong to no agent \(service shop: HTTP server, scope http\)/,
        ),
      ],
    ],
    [
      "one span has neither agent nor service nor scope",
      { ...nothing, withoutAgent: [{ ...shop, service: null, scope: "", spans: 1 }] },
      [expect.stringMatching(/^1 received span belongs to no agent \(no service name: HTTP server\): /)],
    ],
    [
      "many services have no agent",
      { ...nothing, withoutAgent: ["a", "b", "c", "d", "e"].map((service) => ({ ...shop, service })) },
      [expect.stringMatching(/^30 received spans .*service c: HTTP server, scope http; 2 more\)/)],
    ],
  ])("%s", (_, state, messages) => {
    expect(new FirstSteps("http://127.0.0.1:4319").due(state)).toEqual(messages);
  });

  it("names no address where the admin port is off, and lets no control characters through", () => {
    const [noSpec = ""] = new FirstSteps(null).due({ ...nothing, runs: 1 });
    expect(noSpec).toContain("tracejury init --from DUMP");
    const [noAgent = ""] = new FirstSteps(null).due({
      ...nothing,
      withoutAgent: [{ ...shop, service: "a\u001b]0;x\u0007", scope: "\u009b31m" }],
    });
    expect(noAgent).toContain(
      "If no run appears after the agent has finished, switch on the instrumentation",
    );
    expect(noAgent).toContain("tracejury doctor DUMP");
    // oxlint-disable-next-line no-control-regex
    expect(noAgent).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
  });
});

const timeouts = { rootQuietMs: 50, rootOpenMs: 100 };

it("a collector counts spans of settled traces without an agent by service, kind and scope, and no others", async () => {
  const live = await serveInTest({ store: inMemory, timeouts });
  const http = { kind: 2, scope: "http", attributes: { "http.request.method": "GET" } };
  const database = { kind: 3, scope: "pg", attributes: { "db.system.name": "postgresql" } };
  const own = { kind: 1, scope: "app", attributes: { "app.step": "1" } };
  for (const [trace, sent, service] of [
    [1, http, "shop"],
    [2, http, "shop"],
    [3, database, "shop"],
    [4, own, undefined],
  ] as const)
    await post(live, request(trace, sent, service));
  await postRecording(live, "rag-weather-fixed.langgraph");
  await expect.poll(() => live.firstSteps()).toMatchObject({ runs: 1, specs: 0 });
  const expected = [
    { service: "shop", kind: "HTTP server", scope: "http", traces: 2, spans: 2 },
    { service: "shop", kind: "database client", scope: "pg", traces: 1, spans: 1 },
    { service: null, kind: "internal", scope: "app", traces: 1, spans: 1 },
  ];
  await expect.poll(() => live.firstSteps().withoutAgent).toEqual(expected);
  const status = await (await fetch(`http://${live.listening.admin}/api/v1/status`)).json();
  expect(status).toMatchObject({ spans_without_agent: expected });
});

describe("serve", () => {
  let folder: string;
  beforeEach(() => {
    folder = temporaryFolder();
  });

  async function configured(specs: string): Promise<{ config: string; http: string; admin: string }> {
    const { config, http, admin } = await serveConfig(folder, {
      specs: [specs],
      assemble: { root_quiet: "0s", root_open: "0s" },
      journal: { durability: "memory" },
      store: { mode: "memory" },
    });
    return { config, http: `127.0.0.1:${http}`, admin: `127.0.0.1:${admin}` };
  }

  it("starts without a spec, says what is missing, and judges by the spec that init writes from its runs", async () => {
    const { config, http, admin } = await configured(`${folder}/specs/*.yaml`);
    const process = await ServeProcess.start({ config });
    onTestFinished(async () => void (await process.end("SIGTERM")));
    const live = { listening: { http, grpc: null, admin } };
    const server = { kind: 2, scope: "http", attributes: { "http.request.method": "GET" } };
    await post(live, request(1, server, "shop"));
    const logged = (text: string): Promise<void> => until(() => process.log.includes(text), text);
    await logged("1 received span belongs to no agent (service shop: HTTP server, scope http)");
    const doctor = await runCli("doctor", `http://${admin}`);
    expect(doctor).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("1 received span belongs to no"),
    });
    await postRecording(live, "rag-weather-fixed.langgraph");
    await logged(`1 run received, no spec yet: tracejury init --from http://${admin}`);

    const get = async <T>(path: string): Promise<T> =>
      (await (await fetch(`http://${admin}/api/v1/${path}`)).json()) as T;
    // The line is logged when the run was seen; it is listed once it is in the store.
    await expect.poll(async () => (await get<{ total: number }>("facets")).total).toBe(1);

    const written = await runCli("init", "--from", `http://${admin}`, "--dir", folder);
    expect(written).toMatchObject({ code: 0, stderr: "" });
    await expect.poll(async () => (await get<{ specs: object[] }>("status")).specs).toHaveLength(1);
    expect((await runCli("test", `http://${admin}`, "--spec", `${folder}/specs/*.yaml`)).code).toBe(0);
  });

  it("takes a folder without specs as none yet; a file that is not there, or named by --spec, stays an error", async () => {
    mkdirSync(join(folder, "specs"));
    const { config } = await configured(join(folder, "specs"));
    const process = await ServeProcess.start({ config });
    expect(await process.end("SIGTERM")).toBe(0);
    const missing = await configured(join(folder, "specs", "one.yaml"));
    const ran = await runCli("serve", "--config", missing.config);
    expect(ran).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("no spec was found at"),
    });
    const named = await runCli("serve", "--config", config, "--spec", join(folder, "specs/*.yaml"));
    expect(named).toMatchObject({ code: 2, stderr: expect.stringContaining("no file matches the pattern") });
  });
});
