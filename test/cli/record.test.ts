import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { answerOf, ScriptedResponder, serverOf } from "../model-server/scripted.ts";
import { argv, runCliWith } from "../support/run-cli.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

/** An agent of a few lines, without any instrumentation. */
const agent = `
const response = await fetch(process.env.OPENAI_BASE_URL + "/chat/completions", {
  method: "POST",
  headers: { authorization: "Bearer " + process.env.OPENAI_API_KEY },
  body: JSON.stringify({ model: "gpt-4o-mini", messages: [{ role: "user", content: process.argv[2] }] }),
});
process.exitCode = (await response.json()).choices[0].message.content === "Noon." ? 0 : 3;
`;

test("record runs an agent and says what came", async () => {
  const provider = await serverOf(
    new ScriptedResponder([answerOf({ model: "gpt-4o-mini", text: "Noon.", finish: "stop" })]),
  );
  const folder = temporaryFolder();
  const script = join(folder, "clock.mjs");
  const out = join(folder, "out.jsonl");
  writeFileSync(script, agent);
  const env = {
    PATH: process.env["PATH"],
    OPENAI_BASE_URL: `${provider.baseUrl()}/v1`,
    OPENAI_API_KEY: "sk-mykey123",
  };

  const { code, stderr, stdout } = await runCliWith(
    { env },
    ...argv`record --out ${out} -- ${process.execPath} ${script} ${"What time is it?"}`,
  );

  expect(stderr).toMatch(
    /out\.jsonl: 1 run, 1 model call, 18 tokens, \$\S+\nnext: tracejury init --from \S+out\.jsonl\n$/,
  );
  expect([code, stdout]).toEqual([0, ""]);
  const inspected = await runCliWith({ env: {} }, "inspect", out, "--format", "json");
  expect(JSON.parse(inspected.stdout)).toMatchObject({
    service: "clock",
    query: "What time is it?",
    answer: "Noon.",
    input_tokens: 11,
  });
  expect(readFileSync(out, "utf8")).not.toContain("sk-mykey123");
});

test("a second recording follows the first in the file", async () => {
  const answers = [1, 2].map(() => answerOf({ model: "gpt-4o-mini", text: "Noon.", finish: "stop" }));
  const provider = await serverOf(new ScriptedResponder(answers));
  const folder = temporaryFolder();
  const [script = "", out = ""] = ["clock.mjs", "out.jsonl"].map((name) => join(folder, name));
  writeFileSync(script, agent);
  const env = {
    PATH: process.env["PATH"],
    OPENAI_BASE_URL: `${provider.baseUrl()}/v1`,
    OPENAI_API_KEY: "sk-mykey123",
  };
  const words = ["record", "--out", out, "--", process.execPath, script];
  expect((await runCliWith({ env }, ...words, "What time is it?")).code).toBe(0);
  const second = await runCliWith({ env }, ...words, "And now?");
  expect([second.code, second.stderr]).toEqual([
    0,
    expect.stringMatching(/1 run, 1 model call.*\n1 earlier run in the file is kept\n/),
  ]);
  const inspected = await runCliWith({ env: {} }, "inspect", out, "--format", "json");
  const queries = inspected.stdout
    .trim()
    .split("\n")
    .map((line) => (JSON.parse(line) as { query: string }).query);
  expect(queries).toEqual(["What time is it?", "And now?"]);

  writeFileSync(out, "notes\n");
  const refused = await runCliWith({ env }, ...words, "And now?");
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining("is not a recording")]);
  expect(readFileSync(out, "utf8")).toBe("notes\n");
});

test("a command that fails is named before anything else", async () => {
  const out = join(temporaryFolder(), "out.jsonl");
  const words = ["record", "--out", out, "--", process.execPath, "no-such-file.mjs"];
  const { code, stderr } = await runCliWith({ env: { PATH: process.env["PATH"] } }, ...words);
  expect(code).toBe(2);
  expect(stderr).toMatch(/^the command ended with exit code 1\nno model call and no telemetry arrived\n/);
  expect(stderr).not.toContain("OPENAI_BASE_URL");
});

test("`test --models record:FILE` judges the runs, and writes them without keys", async () => {
  const answers = [1, 2].map(() => answerOf({ model: "gpt-4o-mini", text: "Noon.", finish: "stop" }));
  const provider = await serverOf(new ScriptedResponder(answers));
  const folder = temporaryFolder();
  const [script, spec, out] = ["clock.mjs", "spec.yaml", "out.jsonl"].map((name) => join(folder, name));
  writeFileSync(String(script), agent);
  const queries = ["What time is it?", "And now?"].map((query) => ({
    query,
    correctness: { expected_in_answer: ["Noon"] },
  }));
  writeFileSync(String(spec), JSON.stringify({ version: 1, agent: "*", queries }));
  const env = {
    PATH: process.env["PATH"],
    OPENAI_BASE_URL: `${provider.baseUrl()}/v1`,
    OPENAI_API_KEY: "sk-mykey123",
  };

  const { code, stdout, stderr } = await runCliWith(
    { env },
    ...argv`test --exec ${`${process.execPath} ${script} {query}`} --spec ${String(spec)} --models
      record:${out ?? ""} --keep ${join(folder, "kept")} --format json`,
  );

  expect([code, stderr]).toEqual([0, expect.stringContaining("1 agent run")]);
  expect(JSON.parse(stdout)).toMatchObject({ summary: { passed: 2, total: 2 } });
  const inspected = await runCliWith({ env: {} }, "inspect", String(out), "--format", "json");
  expect(inspected.stdout.trim().split("\n")).toHaveLength(2);
  expect(readFileSync(String(out), "utf8")).not.toContain("sk-mykey123");
});

test.each([
  ["an agent that calls no model", [process.execPath, "-e", "0"], "no model call and no telemetry arrived"],
  ["a command that is not there", ["no-such-command-anywhere"], "could not be started"],
])("%s: exit code 2 and what to do", async (_, command, message) => {
  const out = join(temporaryFolder(), "out.jsonl");
  const { code, stderr } = await runCliWith(
    { env: { PATH: process.env["PATH"] } },
    ...argv`record --out ${out} -- ${command}`,
  );

  expect(code).toBe(2);
  expect(stderr).toContain(message);
  expect(stderr).toContain("fix:");
});
