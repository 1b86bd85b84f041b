import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { PassThrough, Readable } from "node:stream";
import { gzipSync } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";
import { record } from "../../src/replay/agent/recording/record.ts";
import type { Io } from "../../src/support/process/io.ts";
import { providerOf } from "../model-server/record/recorded.ts";
import { answerOf, ScriptedResponder, serverOf } from "../model-server/scripted.ts";
import { until } from "../support/eventually.ts";
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

const noons = (count: number) =>
  Array.from({ length: count }, () => answerOf({ model: "gpt-4o-mini", text: "Noon.", finish: "stop" }));

/** A folder with a script of an agent, which asks the provider, and what records it into a file. */
function agentAt(baseUrl: string, text = agent) {
  const folder = temporaryFolder();
  const [script = "", out = ""] = ["clock.mjs", "out.jsonl"].map((name) => join(folder, name));
  writeFileSync(script, text);
  const env = {
    PATH: process.env["PATH"],
    OPENAI_BASE_URL: `${baseUrl}/v1`,
    OPENAI_API_KEY: "sk-mykey123",
  };
  const record = (...words: readonly string[]) =>
    runCliWith({ env }, "record", "--out", out, "--", process.execPath, script, ...words);
  return { folder, script, out, env, record };
}

/** The runs of the file, as `inspect` prints them. */
async function inspectedRuns(out: string): Promise<readonly { readonly query: string }[]> {
  const { stdout } = await runCliWith({ env: {} }, "inspect", out, "--format", "json");
  return stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { query: string });
}

test("record runs an agent and says what came", async () => {
  const provider = await serverOf(new ScriptedResponder(noons(1)));
  const { folder, script, out, env } = agentAt(provider.baseUrl());
  const setup = join(folder, "setup.mjs");
  writeFileSync(setup, "");

  const { code, stderr, stdout } = await runCliWith(
    { env },
    ...argv`record --out ${out} -- ${process.execPath} --import ${setup} ${script} ${"What time is it?"}`,
  );

  expect(stderr).toMatch(
    /out\.jsonl: 1 run, 1 model call, 18 tokens, \$\S+\nnext: tracejury init --from \S+out\.jsonl\n$/,
  );
  expect([code, stdout]).toEqual([0, ""]);
  expect(await inspectedRuns(out)).toMatchObject([
    { service: "clock", query: "What time is it?", answer: "Noon.", input_tokens: 11 },
  ]);
  expect(readFileSync(out, "utf8")).not.toContain("sk-mykey123");
});

test("a second recording follows the first in the file", async () => {
  const provider = await serverOf(new ScriptedResponder(noons(4)));
  const { out, record: recorded } = agentAt(provider.baseUrl());
  expect((await recorded("What time is it?")).code).toBe(0);
  const second = await recorded("And now?");
  expect([second.code, second.stderr]).toEqual([
    0,
    expect.stringMatching(/1 run, 1 model call.*\n1 earlier run in the file is kept\n/),
  ]);
  const queries = (await inspectedRuns(out)).map(({ query }) => query);
  expect(queries).toEqual(["What time is it?", "And now?"]);

  const written = readFileSync(out, "utf8");
  // A recording that was killed while it wrote, and a dump of another tool without the last line break.
  for (const ending of [written + written.slice(0, 200), written.trimEnd()]) {
    writeFileSync(out, ending);
    const third = await recorded("Once more?");
    expect([third.code, third.stderr]).toEqual([0, expect.stringContaining("2 earlier runs in the file")]);
  }

  writeFileSync(out, "notes\n");
  const refused = await recorded("And now?");
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining("is not a recording")]);
  expect(readFileSync(out, "utf8")).toBe("notes\n");
});

test("`test --models record:FILE` judges the runs, and writes them without keys", async () => {
  const provider = await serverOf(new ScriptedResponder(noons(2)));
  const { folder, script, out, env } = agentAt(provider.baseUrl());
  const spec = join(folder, "spec.yaml");
  const queries = ["What time is it?", "And now?"].map((query) => ({
    query,
    correctness: { expected_in_answer: ["Noon"] },
  }));
  writeFileSync(spec, JSON.stringify({ version: 1, agent: "*", queries }));

  const { code, stdout, stderr } = await runCliWith(
    { env },
    ...argv`test --exec ${`${process.execPath} ${script} {query}`} --spec ${spec} --models
      record:${out} --keep ${join(folder, "kept")} --format json`,
  );

  expect([code, stderr]).toEqual([0, expect.stringContaining("1 agent run")]);
  expect(JSON.parse(stdout)).toMatchObject({ summary: { passed: 2, total: 2 } });
  expect(await inspectedRuns(out)).toHaveLength(2);
  expect(readFileSync(out, "utf8")).not.toContain("sk-mykey123");
});

test.each([
  ["an agent that calls no model", [process.execPath, "-e", "0"], "no model call and no telemetry arrived"],
  [
    "a command that fails",
    [process.execPath, "no-such-file.mjs"],
    "the command ended with exit code 1\nno model call and no telemetry arrived\n",
  ],
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

/** An agent that asks as often as it is told, and then waits until it is killed. */
const waitingAgent = `
for (let turn = 1; turn <= Number(process.argv[2]); turn++) {
  const response = await fetch(process.env.OPENAI_BASE_URL + "/chat/completions", {
    method: "POST",
    body: JSON.stringify({ model: "gpt-4o-mini", messages: [{ role: "user", content: "question " + turn }] }),
  });
  await response.text();
}
const span = {
  traceId: "0af7651916cd43dd8448eb211c80319c",
  spanId: "b7ad6b7169203331",
  name: "own span",
  kind: 1,
  startTimeUnixNano: "1700000000000000000",
  endTimeUnixNano: "1700000001000000000",
};
await fetch(process.env.OTEL_EXPORTER_OTLP_ENDPOINT + "/v1/traces", {
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify({ resourceSpans: [{ resource: {}, scopeSpans: [{ scope: { name: "x" }, spans: [span] }] }] }),
});
process.stdout.write("asked\\n");
setInterval(() => undefined, 1000);
`;

/** A recording in a process of its own, whose agent has asked three times and waits. */
async function waitingRecording(): Promise<{ readonly child: ChildProcess; readonly out: string }> {
  const answers = [1, 2, 3].map((turn) =>
    answerOf({ model: "gpt-4o-mini", text: `answer ${turn}`, finish: "stop" }),
  );
  const provider = await serverOf(new ScriptedResponder(answers));
  const { script, out, env } = agentAt(provider.baseUrl(), waitingAgent);
  const command = [resolve("bin/tracejury.js"), "record", "--out", out, "--", process.execPath, script, "3"];
  const child = spawn(process.execPath, command, {
    env,
    stdio: ["ignore", "pipe", "ignore"],
    detached: true,
  });
  onTestFinished(() => void (child.exitCode === null && child.kill("SIGKILL")));
  await once(child.stdout, "data");
  await until(() => /answer 3[^]*own span/.test(readFileSync(out, "utf8")));
  return { child, out };
}

test("a recording that is killed has lost no call that was over, and no telemetry that had arrived", async () => {
  const { child, out } = await waitingRecording();
  // The agent is in the same process group.
  process.kill(-(child.pid ?? 0), "SIGKILL");
  await once(child, "exit");

  expect(await inspectedRuns(out)).toMatchObject([{ llm_calls: 3, answer: "answer 3" }]);
  expect(readFileSync(out, "utf8")).toContain("own span");
});

test.each(["SIGINT", "SIGTERM"] as const)(
  "%s to a recording ends its agent and then itself",
  async (signal) => {
    const { child, out } = await waitingRecording();
    child.kill(signal);

    expect(await once(child, "exit")).toEqual([2, null]);
    expect(await inspectedRuns(out)).toMatchObject([{ llm_calls: 3, answer: "answer 3" }]);
  },
);

/** An agent with a span around its model call. */
const instrumentedAgent = `
const now = () => String(Date.now()) + "000000";
const hex = (length) => Array.from({ length }, () => "0123456789abcdef"[Math.floor(Math.random() * 16)]).join("");
const ids = { traceId: hex(32), spanId: hex(16) };
const started = now();
const response = await fetch(process.env.OPENAI_BASE_URL + "/chat/completions", {
  method: "POST",
  body: JSON.stringify({ model: "gpt-4o-mini", messages: [{ role: "user", content: "What time is it?" }] }),
});
const { id } = await response.json();
const attributes = [
  { key: "gen_ai.operation.name", value: { stringValue: "chat" } },
  { key: "gen_ai.response.id", value: { stringValue: id } },
];
const span = { ...ids, name: "chat", kind: 3, startTimeUnixNano: started, endTimeUnixNano: now(), attributes };
const resource = { attributes: [{ key: "service.name", value: { stringValue: "clock" } }] };
await fetch(process.env.OTEL_EXPORTER_OTLP_ENDPOINT + "/v1/traces", {
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify({ resourceSpans: [{ resource, scopeSpans: [{ scope: { name: "x" }, spans: [span] }] }] }),
});
`;

test("a recorded call and the agent's own span of it are one call, in a file that held a run before", async () => {
  const answers = [1, 2].map((turn) =>
    answerOf({ id: `chatcmpl-${turn}`, model: "gpt-4o-mini", text: "Noon.", finish: "stop" }),
  );
  const provider = await serverOf(new ScriptedResponder(answers));
  const { out, record: recorded } = agentAt(provider.baseUrl(), instrumentedAgent);
  for (const earlier of ["", "1 earlier run"]) {
    const { code, stderr } = await recorded();
    expect([code, stderr]).toEqual([0, expect.stringMatching(/out\.jsonl: 1 run, 1 model call, 18 tokens/)]);
    expect(stderr).toContain(earlier);
  }

  expect(await inspectedRuns(out)).toEqual(
    [1, 2].map(() => expect.objectContaining({ llm_calls: 1, answer: "Noon." })),
  );
});

/** Asks many times at once, for answers that are small on their way and large in memory. */
const floodingAgent = `
await Promise.all(Array.from({ length: 5 }, async () => {
  const response = await fetch(process.env.OPENAI_BASE_URL + "/chat/completions", {
    method: "POST",
    headers: { "accept-encoding": "identity" },
    body: JSON.stringify({ model: "gpt-4o-mini", messages: [{ role: "user", content: "?" }] }),
  });
  await response.body.cancel();
}));
`;

test("a flood of answers that become large does not hold up the end, and is said", async () => {
  const text = `{"choices":[{"message":{"role":"assistant","content":"${"word ".repeat(7 * 2 ** 20)}"}}]}`;
  const body = gzipSync(text);
  const upstream = await providerOf((request, response) => {
    request.resume().on("end", () => response.setHeader("content-encoding", "gzip").end(body));
  });
  const { out, record: recorded } = agentAt(upstream, floodingAgent);

  const { stderr } = await recorded();

  const numbers = [...stderr.matchAll(/(\d+) model calls? recorded with messages missing: (.*)/g)];
  expect(numbers.map(([, count]) => Number(count)).reduce((all, one) => all + one, 0)).toBe(5);
  expect(numbers.map(([, , reason]) => reason).join("\n")).toContain("larger than 32 MiB");
  expect(statSync(out).size).toBeLessThan(2 ** 20);
});

test("the runs of a long recording are not counted at its end", async () => {
  const provider = await serverOf(new ScriptedResponder(noons(1)));
  const { folder, script, out, env } = agentAt(provider.baseUrl());
  const stderr = new PassThrough({ encoding: "utf8" });
  const io = {
    stdin: Readable.from([]),
    stdout: new PassThrough(),
    stderr,
    env,
    cwd: folder,
  } as unknown as Io;
  const options = { out, longestCounted: 100, config: [], set: [] };

  expect(await record([process.execPath, script, "What time is it?"], options, io)).toBe(0);
  expect(stderr.read()).toBe(`${out}: 1 model call, 0 MiB\nnext: tracejury inspect ${out}\n`);
  expect(await inspectedRuns(out)).toMatchObject([{ answer: "Noon." }]);
});
