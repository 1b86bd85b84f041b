import { spawn } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { type ModelServer, startModelServer } from "../../src/model-server/server/model-server.ts";
import { resultSchema } from "../../src/report/json/verdict-schema.ts";
import { type ReceiverOptions, startReceiver, type TestReceiver } from "../../src/index.ts";
import { freePort } from "../support/free-port.ts";
import { runCliWith } from "../support/run-cli.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { OrderModel } from "./order-model.ts";

/*
 * Agents that run already have one address for all their model calls. What stands there is the same as for agents that are started: recorded
 * answers, their providers, faults, a recording.
 */

const script = "test/fixtures/agents/looping.mjs";
const questions = ["Where is order 7?", "Where is order 8?"];
const dir = temporaryFolder();
let spec = "";
let dump = "";
let provider: ModelServer;
const model = new OrderModel();

const atProvider = (): NodeJS.ProcessEnv => ({
  PATH: process.env["PATH"],
  OPENAI_BASE_URL: `${provider.baseUrl()}/v1`,
  OPENAI_API_KEY: "sk-provider-secret-1",
});

beforeAll(async () => {
  provider = await startModelServer({ responder: model });
  spec = join(dir, "shop.yaml");
  const query = (text: string, id: string): string =>
    `  - id: ${id}\n    query: "${text}"\n    correctness: { expected_in_answer: ["on its way"] }\n    path: { expected_tools: [find_order], severity: fail }\n    cost: { max_total_tokens: 40, severity: fail }\n`;
  writeFileSync(
    spec,
    `agent: shop\nqueries:\n${questions.map((text, at) => query(text, `order-${at}`)).join("")}`,
  );
  dump = join(dir, "recorded.jsonl");
  const words = ["--exec", `node ${script} {query}`, "--spec", spec, "--models", `record:${dump}`];
  const ran = await runCliWith({ env: atProvider() }, "test", ...words, "--keep", join(dir, "kept"));
  if (ran.code !== 0) throw new Error(ran.stdout + ran.stderr);
});
afterAll(async () => {
  await provider.close(0);
});

type OnEnd = (end: () => void | Promise<void>) => void;

/** An agent behind HTTP, which has the address of its models when it starts. Status 500 where it fails. */
async function serveAgent(env: NodeJS.ProcessEnv, onEnd: OnEnd): Promise<string> {
  const agent = createServer((request, response) => {
    let body = "";
    request.on("data", (piece: Buffer) => (body += piece.toString()));
    request.on("end", () => {
      const { query } = JSON.parse(body) as { query: string };
      const child = spawn(process.execPath, [script, query], {
        env: { PATH: process.env["PATH"], OPENAI_API_KEY: "sk-provider-secret-1", ...env },
      });
      child.once("exit", (code) => response.writeHead(code === 0 ? 200 : 500).end("done"));
    });
  });
  await new Promise<void>((resolve) => {
    agent.listen(0, "127.0.0.1", resolve);
  });
  onEnd(() => void agent.close());
  return `http://127.0.0.1:${(agent.address() as AddressInfo).port}/ask`;
}

interface Asking {
  readonly models: readonly string[];
  /** Behind the host. */
  readonly path: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly onEnd?: OnEnd;
}

let kept = 0;

async function askRunning({ models, path, env = {}, onEnd = onTestFinished }: Asking) {
  const [port, telemetry] = await Promise.all([freePort(), freePort()]);
  const url = await serveAgent(
    {
      OPENAI_BASE_URL: `http://127.0.0.1:${port}${path}`,
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${telemetry}`,
      ...env,
    },
    onEnd,
  );
  const words = ["--spec", spec, ...models, "--models-port", String(port), "--keep", join(dir, `u${++kept}`)];
  const more = ["--set", `receive.http=127.0.0.1:${telemetry}`, "--format", "json", "--timeout", "600"];
  const ran = await runCliWith({ env: atProvider() }, "test", "--url", url, ...words, ...more);
  const { verdicts, agent_calls } = resultSchema.parse(JSON.parse(ran.stdout || "{}"));
  return { ...ran, port, verdicts, calls: agent_calls ?? [] };
}

describe("test --url", () => {
  test.each(["/openai/v1", "/v1"])("a fault before the provider, at %s, in each run", async (path) => {
    const ran = await askRunning({ models: ["--models", "live", "--fault", "rate-limit@2"], path });

    expect(ran.stderr).toContain(`OPENAI_BASE_URL=http://127.0.0.1:${ran.port}/openai/v1`);
    // The agent does not try again: its second call is what fails, whichever the question.
    expect(ran.calls.map(({ outcome }) => outcome)).toEqual(["failed", "failed"]);
    expect(ran.code).not.toBe(0);
  });

  test.each<[string, () => NodeJS.ProcessEnv, RegExp, RegExp]>([
    [
      "a request that differs",
      () => ({ AGENT_SYSTEM: "You help clients of a shop." }),
      /system prompt/,
      /^Record this query again with the model: --models record:FILE, with the same --models-port\.$/,
    ],
    [
      "no request",
      atProvider,
      /one call fewer.*start the agent with OPENAI_BASE_URL=http:\/\/127\.0\.0\.1:\d+\/v1/,
      /--models record:FILE/,
    ],
  ])("%s: the remedy is one that --url allows", async (_, env, said, remedy) => {
    const ran = await askRunning({ models: ["--models", `replay:${dump}`], path: "/v1", env: env() });
    const text = JSON.stringify(ran.verdicts.map(({ layers }) => layers)) + ran.stderr;
    expect(text).toMatch(said);
    expect(text).not.toContain("--on-divergence live");
    for (const { layers } of ran.verdicts)
      expect(layers.correctness.checks.find(({ check }) => check === "run_status")?.remedy).toMatch(remedy);
  });

  test.each([
    ["--on-divergence live", ["--on-divergence", "live"]],
    ["--update-recordings", ["--update-recordings"]],
  ])("%s is refused, with what helps", async (option, words) => {
    const models = ["--models", `replay:${dump}`, ...words];
    const ran = await runCliWith({}, "test", "--url", "http://127.0.0.1:1/ask", "--spec", spec, ...models);
    expect(ran.code).toBe(2);
    expect(ran.stderr).toMatch(
      new RegExp(
        `${option} calls the agent again.*--url.*\n *fix: start the agent with --exec, or record it again`,
        "s",
      ),
    );
  });

  test("an agent is recorded, and played back without its provider", async () => {
    const file = await recorded({});
    const before = model.asked;
    expect(await playBack(file, {})).toEqual(asRecorded);
    expect(model.asked).toBe(before);
  });
});

async function recorded(env: NodeJS.ProcessEnv, onEnd?: OnEnd): Promise<string> {
  const file = join(dir, `recorded-${++kept}.jsonl`);
  const models = ["--models", `record:${file}`];
  const ran = await askRunning({ models, path: "/openai/v1", env, ...(onEnd && { onEnd }) });
  // Counted once: 18 tokens a call.
  const seen = ran.verdicts.map(({ outcome, metrics }) => [outcome, metrics["total_tokens"]]);
  expect([ran.code, seen]).toEqual([0, questions.map(() => ["pass", 36])]);
  return file;
}

const asRecorded = [0, questions.map(() => ["pass", ["find_order"], "none"])];

/** Exit code and verdicts of a playback. */
async function playBack(file: string, env: NodeJS.ProcessEnv, onEnd?: OnEnd): Promise<unknown> {
  const models = ["--models", `replay:${file}`];
  const played = await askRunning({ models, path: "/v1", env, ...(onEnd && { onEnd }) });
  const seen = played.verdicts.map(({ outcome, tools, playback }) => [outcome, tools, playback?.effect]);
  expect(played.stderr).toContain(`the agent's model calls are expected at http://127.0.0.1:${played.port}`);
  return [played.code, seen];
}

test("--runs auto writes the recording, too", async () => {
  const file = join(dir, "auto.jsonl");
  const ran = await askRunning({ models: ["--models", `record:${file}`, "--runs", "auto"], path: "/v1" });

  expect([ran.code, ran.verdicts.length]).toEqual([0, 2]);
  const inspected = await runCliWith({}, "inspect", file, "--format", "json");
  expect(inspected.stdout.trim().split("\n")).toHaveLength(2);
});

async function askOnce(env: NodeJS.ProcessEnv): Promise<number | null> {
  const all = { PATH: process.env["PATH"], OPENAI_API_KEY: "sk-provider-secret-1", ...env };
  const child = spawn(process.execPath, [script, questions[0] ?? ""], { env: all, stdio: "ignore" });
  return new Promise((done) => child.once("exit", done));
}

// Each waits six seconds for telemetry that does not come.
describe.concurrent("an agent without instrumentation", () => {
  const env = { AGENT_REQUESTS: "0" };

  test("is recorded at its address, and played back", async ({ onTestFinished: onEnd }) => {
    expect(await playBack(await recorded(env, onEnd), env, onEnd)).toEqual(asRecorded);
  });

  test.each(["record", "replay"])("is seen by its model calls in a receiver: %s", async (how) => {
    const models = how === "record" ? `record:${join(dir, "mute.jsonl")}` : `replay:${dump}`;
    const receiver = await startReceiver({ models, env: atProvider() });
    try {
      const waiting = receiver.nextRun(60_000);
      await askOnce({ ...receiver.env, ...env });
      const { answer, tools } = await waiting;
      expect([answer, tools.map(({ name }) => name)]).toEqual(["Order 7 is on its way.", ["find_order"]]);
    } finally {
      await receiver.close();
    }
  });
});

describe("startReceiver", () => {
  async function receiving(options: ReceiverOptions): Promise<TestReceiver> {
    const receiver = await startReceiver(options);
    onTestFinished(() => receiver.close());
    return receiver;
  }

  test("records the provider's answers", async () => {
    const file = join(dir, "tests.jsonl");
    const receiver = await startReceiver({ models: `record:${file}`, env: atProvider() });
    const waiting = receiver.nextRun(60_000);
    expect(await askOnce(receiver.env)).toBe(0);
    expect((await waiting).answer).toBe("Order 7 is on its way.");
    await Promise.all([receiver.close(), receiver.close()]);
    await receiver.close();
    expect(existsSync(file)).toBe(true);

    const replaying = await receiving({ models: `replay:${file}` });
    const again = replaying.nextRun(60_000);
    expect(await askOnce(replaying.env)).toBe(0);
    expect((await again).playback).toMatchObject({ effect: "none", divergences: [] });
  });

  test("a fault at the second call of each run", async () => {
    const receiver = await receiving({ models: "live", fault: "server-error@2", env: atProvider() });
    expect(await askOnce(receiver.env)).not.toBe(0);
  });

  test.each([
    [{ fault: "rate-limit@2" }, /add models replay:DUMP, or models live/],
    [{ models: "live", fault: "flood" }, /unknown kind of fault/],
  ])("%j is refused", async (options, message) => {
    await expect(startReceiver(options)).rejects.toThrow(message);
  });
});
