import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import OpenAI from "openai";
import { expect, onTestFinished, test } from "vitest";
import { startModelServer } from "../../src/model-server/server/model-server.ts";
import { answerOf, ScriptedResponder } from "../model-server/scripted.ts";
import { runCli, runCliWith } from "../support/run-cli.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const command = resolve("bin/tracejury.js");
const asking = resolve("test/fixtures/agents/looping.mjs");

/** A dump of one run, whose model answers with the text at once. */
async function recordedDump(): Promise<string> {
  const dump = join(temporaryFolder(), "run.jsonl");
  const responder = new ScriptedResponder([answerOf({ text: "It is on its way." })]);
  const model = await startModelServer({ responder });
  const env = { PATH: process.env["PATH"], OPENAI_BASE_URL: `${model.baseUrl()}/v1`, OPENAI_API_KEY: "any" };
  await runCliWith({ env }, "record", "--out", dump, "--", process.execPath, asking, "Where is order 7?");
  await model.close(0);
  return dump;
}

test("models serve answers as often as it is asked, until it is interrupted", async () => {
  const child = spawn(process.execPath, [command, "models", "serve", await recordedDump()]);
  onTestFinished(() => void child.kill("SIGKILL"));
  const [line] = (await once(createInterface({ input: child.stdout }), "line")) as [string];
  const { listening } = JSON.parse(line) as { listening: { models: string } };
  const client = new OpenAI({ baseURL: `${listening.models}/v1`, apiKey: "none" });
  const messages = [
    { role: "system" as const, content: "You help customers of a shop." },
    { role: "user" as const, content: "Where is order 7?" },
  ];
  const answers = [];
  for (const stream of [false, true, false]) {
    const request = { model: "gpt-4o-mini", messages };
    const completion = stream
      ? await client.chat.completions.stream(request).finalChatCompletion()
      : await client.chat.completions.create(request);
    answers.push(completion.choices[0]?.message.content);
  }

  expect(answers).toEqual(Array(3).fill("It is on its way."));
  expect((await client.models.list()).data.map(({ id }) => id)).toEqual(["gpt-4o-mini"]);
  child.kill("SIGINT");
  expect(await once(child, "exit")).toEqual([0, null]);
});

test("models serve refuses what holds no run", async () => {
  const empty = join(temporaryFolder(), "empty.jsonl");
  writeFileSync(empty, "");
  const { code, stderr } = await runCli("models", "serve", empty);

  expect([code, stderr]).toEqual([2, expect.stringContaining("no run of the dumps can be played back")]);
});
