import { spawn } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { ModelServer } from "../../src/model-server/server/model-server.ts";
import { startModelServer } from "../../src/model-server/server/model-server.ts";
import type { Responder } from "../../src/model-server/server/responder.ts";
import { resultSchema } from "../../src/report/json/verdict-schema.ts";
import { startReceiver, type TestReceiver } from "../../src/index.ts";
import { answerOf } from "../model-server/scripted.ts";
import { freePort } from "../support/free-port.ts";
import { runCliWith } from "../support/run-cli.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

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
let asked = 0;
let agent: Server | undefined;
let receiver: TestReceiver | undefined;

/** Asks for the tool, then answers with what it said. */
const model: Responder = {
  respond: ({ request }) => {
    asked++;
    const result = request.messages?.flatMap(({ results }) => results).at(-1);
    const number = /\d/.exec(request.messages?.[0]?.text ?? "")?.[0] ?? "";
    const call = { id: null, name: "find_order", arguments: { id: number } };
    const answer =
      result === undefined
        ? answerOf({ calls: [call], finish: "tool_call" })
        : answerOf({ text: `Order ${number} is on its way.` });
    return Promise.resolve({ answer: { ...answer, id: `chatcmpl-${asked}` } });
  },
};

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
afterEach(async () => {
  agent?.close();
  agent = undefined;
  await receiver?.close();
  receiver = undefined;
});
afterAll(async () => {
  await provider.close(0);
});

/** An agent behind HTTP, which has the address of its models when it starts. Status 500 where it fails. */
async function serveAgent(env: NodeJS.ProcessEnv): Promise<string> {
  agent = createServer((request, response) => {
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
    agent?.listen(0, "127.0.0.1", resolve);
  });
  return `http://127.0.0.1:${(agent.address() as AddressInfo).port}/ask`;
}

interface Asking {
  readonly models: readonly string[];
  /** Behind the host. */
  readonly path: string;
  readonly env?: NodeJS.ProcessEnv;
}

let kept = 0;

async function askRunning({ models, path, env = {} }: Asking) {
  const [port, telemetry] = await Promise.all([freePort(), freePort()]);
  const url = await serveAgent({
    OPENAI_BASE_URL: `http://127.0.0.1:${port}${path}`,
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${telemetry}`,
    ...env,
  });
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

  test("a fault before recorded answers, in each run", async () => {
    const models = ["--models", `replay:${dump}`, "--fault", "rate-limit@2"];
    const ran = await askRunning({ models, path: "/v1" });

    expect(ran.calls.map(({ outcome }) => outcome)).toEqual(["failed", "failed"]);
  });

  test("a fault of a call that is not made changes nothing", async () => {
    const ran = await askRunning({ models: ["--models", "live", "--fault", "rate-limit@3"], path: "/v1" });

    expect([ran.code, ran.verdicts.map(({ outcome }) => outcome)]).toEqual([0, ["pass", "pass"]]);
  });

  test.each([
    ["with instrumentation", {}],
    ["without", { AGENT_REQUESTS: "0" }],
  ])("an agent %s is recorded, and played back", async (_, env) => {
    const file = join(dir, `recorded-${++kept}.jsonl`);
    const ran = await askRunning({ models: ["--models", `record:${file}`], path: "/openai/v1", env });
    // Counted once: 18 tokens a call.
    const seen = ran.verdicts.map(({ outcome, metrics }) => [outcome, metrics["total_tokens"]]);
    expect([ran.code, seen]).toEqual([
      0,
      [
        ["pass", 36],
        ["pass", 36],
      ],
    ]);
    const before = asked;
    const played = await askRunning({ models: ["--models", `replay:${file}`], path: "/v1", env });

    expect(asked).toBe(before);
    expect(played.verdicts.map(({ outcome, tools, playback }) => [outcome, tools, playback?.effect])).toEqual(
      questions.map(() => ["pass", ["find_order"], "none"]),
    );
    expect(played.code).toBe(0);
  });
});

test("--runs auto writes the recording, too", async () => {
  const file = join(dir, "auto.jsonl");
  const ran = await askRunning({ models: ["--models", `record:${file}`, "--runs", "auto"], path: "/v1" });

  expect([ran.code, ran.verdicts.length]).toEqual([0, 2]);
  const inspected = await runCliWith({}, "inspect", file, "--format", "json");
  expect(inspected.stdout.trim().split("\n")).toHaveLength(2);
});

describe("startReceiver", () => {
  async function ask(env: NodeJS.ProcessEnv): Promise<number | null> {
    const all = { PATH: process.env["PATH"], OPENAI_API_KEY: "sk-provider-secret-1", ...env };
    const child = spawn(process.execPath, [script, questions[0] ?? ""], { env: all, stdio: "ignore" });
    return new Promise((done) => child.once("exit", done));
  }

  test("records the provider's answers", async () => {
    const file = join(dir, "tests.jsonl");
    receiver = await startReceiver({ models: `record:${file}`, env: atProvider() });
    const waiting = receiver.nextRun(60_000);
    expect(await ask(receiver.env)).toBe(0);
    expect((await waiting).answer).toBe("Order 7 is on its way.");
    await receiver.close();
    expect(existsSync(file)).toBe(true);

    receiver = await startReceiver({ models: `replay:${file}` });
    const again = receiver.nextRun(60_000);
    expect(await ask(receiver.env)).toBe(0);
    expect((await again).playback).toMatchObject({ effect: "none", divergences: [] });
  });

  test.each([
    ["live", {}],
    ["replay", {}],
  ])("%s: a fault at the second call of each run", async (how) => {
    const models = how === "live" ? "live" : `replay:${dump}`;
    receiver = await startReceiver({ models, fault: "server-error@2", env: atProvider() });
    expect(await ask(receiver.env)).not.toBe(0);
  });

  test.each([["record"], ["replay"]])(
    "%s: an agent without instrumentation is seen by its model calls",
    async (how) => {
      const models = how === "record" ? `record:${join(dir, "mute.jsonl")}` : `replay:${dump}`;
      receiver = await startReceiver({ models, env: atProvider() });
      const waiting = receiver.nextRun(60_000);
      await ask({ ...receiver.env, AGENT_REQUESTS: "0" });
      const run = await waiting;

      expect([run.answer, run.tools.map(({ name }) => name)]).toEqual([
        "Order 7 is on its way.",
        ["find_order"],
      ]);
    },
  );

  test.each([
    [{ fault: "rate-limit@2" }, /add models replay:DUMP, or models live/],
    [{ models: "live", fault: "flood" }, /unknown kind of fault/],
  ])("%j is refused", async (options, message) => {
    await expect(startReceiver(options)).rejects.toThrow(message);
  });
});
