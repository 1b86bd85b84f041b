import { spawn } from "node:child_process";
import { join, resolve } from "node:path";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { startReceiver, type TestReceiver } from "../../src/index.ts";
import { startModelServer } from "../../src/model-server/server/model-server.ts";
import { answerOf, ScriptedResponder } from "../model-server/scripted.ts";
import { argv, runCliWith } from "../support/run-cli.ts";
import { SessionTalk } from "../support/session-talk.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const script = resolve("test/fixtures/agents/looping.mjs");
const question = "Where is order 7?";
const dir = temporaryFolder();
let dump = "";
let receiver: TestReceiver | undefined;

beforeAll(async () => {
  dump = join(dir, "order.jsonl");
  const call = { id: null, name: "find_order", arguments: { id: "7" } };
  const answers = [answerOf({ calls: [call] }), answerOf({ text: "Order 7 is on its way." })];
  const model = await startModelServer({ responder: new ScriptedResponder(answers) });
  const env = { ...plain(), OPENAI_BASE_URL: `${model.baseUrl()}/v1`, OPENAI_API_KEY: "any" };
  const recorded = await runCliWith(
    { env },
    ...argv`record --out ${dump} -- ${process.execPath} ${script} ${question}`,
  );
  await model.close(0);
  if (recorded.code !== 0) throw new Error(recorded.stderr);
});
afterEach(() => receiver?.close());

function plain(): NodeJS.ProcessEnv {
  return { PATH: process.env["PATH"] };
}

/** Runs the agent to its end. */
async function ask(env: NodeJS.ProcessEnv): Promise<void> {
  const child = spawn(process.execPath, [script, question], { env: { ...plain(), ...env }, stdio: "ignore" });
  await new Promise((done) => child.once("exit", done));
}

describe("a receiver with recorded models", () => {
  test("names what was not asked as recorded", async () => {
    receiver = await startReceiver({ models: [`replay:${dump}`] });
    const failed = receiver.nextRun(60_000).catch((error: Error) => error.message);
    await ask({ ...receiver.env, AGENT_SYSTEM: "You help clients of a shop." });

    expect(await failed).toMatch(
      /differs from the recording: call 1: system prompt: .*clients.*\nfix: .*with the model/s,
    );
  });

  test("has no file without a run, and takes nothing else", async () => {
    await expect(startReceiver({ models: "replay:no-such-file.jsonl" })).rejects.toThrow(/no-such-file/);
    await expect(startReceiver({ models: "nothing" })).rejects.toThrow(/--models nothing/);
  });
});

test.each([
  ["as recorded", {}, null],
  [
    "another prompt",
    { AGENT_SYSTEM: "You help clients of a shop." },
    expect.stringMatching(/system prompt: .*clients/),
  ],
])("a session with recorded models: %s", async (_, changed, problem) => {
  const session = new SessionTalk(["--models", `replay:${dump}`], plain());
  const { ready } = (await session.line()) as {
    ready: { endpoint: string; environment: Record<string, string> };
  };
  await session.ask("begin");
  await ask({ ...ready.environment, OTEL_EXPORTER_OTLP_ENDPOINT: ready.endpoint, ...changed });
  const { result } = (await session.ask("finish", { wait_ms: 60_000 })) as {
    result: { not_recorded: string | null; runs: { answer: string }[] };
  };

  expect(await session.end()).toBe(0);
  expect(result.runs.map(({ answer }) => answer)).toEqual(["Order 7 is on its way."]);
  expect(result.not_recorded).toEqual(problem);
});
