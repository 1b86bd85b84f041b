import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import type { Collector } from "../../src/collector/inputs/live-port.ts";
import { sendRecordings } from "../../src/collector/terminal/demo.ts";
import { formats } from "../../src/report/render/formats/format-names.ts";
import { until } from "../support/eventually.ts";
import { freePort } from "../support/free-port.ts";
import { runCli, runCliWith } from "../support/run-cli.ts";
import { agentTrace } from "../chaos/agent-trace.ts";
import { inMemory, postRecording, postSpans, serve } from "../support/serve.ts";
import { exampleSpec } from "../support/spec-of.ts";
import { StoppedClock } from "../support/stopped-clock.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const recordings = ["rag-weather-fixed.langgraph", "rag-weather-broken.langgraph"];
const dumps = recordings.map((name) => `test/fixtures/runs/${name}.jsonl`);
const spec = ["--spec", "specs/rag-agent.yaml"];

const timeouts = { rootQuietMs: 100, rootOpenMs: 200 };

/** A collector that stops with the test, and its address. */
async function started(options: Parameters<typeof serve>[0] = {}): Promise<[Collector, string]> {
  const collector = await serve({ store: inMemory, timeouts, ...options });
  onTestFinished(() => collector.stop(2_000));
  return [collector, `http://${collector.listening.admin}`];
}

const folder = temporaryFolder();
let live: Collector;
let address: string;

beforeAll(async () => {
  live = await serve({ store: inMemory, timeouts });
  address = `http://${live.listening.admin}`;
  for (const recording of recordings) await postRecording(live, recording);
  await live.whenIdle();
  await until(async () => (await runsOf(address)) === recordings.length);
});
afterAll(async () => {
  await live.stop(2_000);
});

async function runsOf(url: string): Promise<number> {
  const answer = await fetch(`${url}/api/v1/facets`);
  return ((await answer.json()) as { total: number }).total;
}

const inThe = (name: string): string => join(folder, name);

test.each([
  ["inspect", ["--format", "json"]],
  ["coverage", [...spec, "--format", "json"]],
  ["report", [...spec, "--format", "json"]],
  ["doctor", [...spec, "--format", "json"]],
] as const)("%s says of a running collector what it says of its runs as dumps", async (command, options) => {
  const [served, recorded] = [
    await runCli(command, address, ...options),
    await runCli(command, ...dumps, ...options),
  ];
  expect(served.stdout).toBe(recorded.stdout);
  expect(served.code).toBe(recorded.code);
});

test("each report names the collector of alike failures without a line", async () => {
  const failing = inThe("failing.yaml");
  writeFileSync(
    failing,
    'agent: "*"\nqueries: [{ query: "*", correctness: { expected_in_answer: [nosuch] } }]\n',
  );
  const outputs = formats.flatMap((format) => ["--output", `${format}=${inThe(`report.${format}`)}`]);
  expect((await runCli("test", address, "--spec", failing, ...outputs)).code).toBe(1);
  const reports = formats.map((format) => [format, readFileSync(inThe(`report.${format}`), "utf8")] as const);
  expect(reports.filter(([, text]) => text.length < 100 || text.includes(`${address}:`))).toEqual([]);
});

test("init without a dump starts from the collector that runs where the configuration says", async () => {
  const admin = ["--set", `admin=${live.listening.admin}`];
  const served = await runCli("init", ...admin, "--dir", inThe("found"));
  expect(served).toMatchObject({
    code: 0,
    stderr: `no dump is given: the spec is made from the runs of the collector at ${address}\n`,
  });
  expect(served.stdout).toContain(`tracejury test ${address} --spec`);
  expect(readFileSync(inThe("found/specs/rag-agent.yaml"), "utf8")).toContain("What's the weather in Tokyo?");
});

test("init --agent without a dump needs no run of the agent in a collector that happens to run", async () => {
  const admin = ["--set", `admin=${live.listening.admin}`];
  const served = await runCli("init", ...admin, "--agent", "clerk", "--dir", inThe("other"));
  expect(served).toMatchObject({
    code: 0,
    stderr: expect.stringContaining("the collector has no run of clerk: the spec is made without runs\n"),
  });
  expect(readFileSync(inThe("other/specs/clerk.yaml"), "utf8")).toContain("agent: clerk");
});

test("init without a dump or a collector names no file that does not exist", async () => {
  const nobody = `127.0.0.1:${await freePort()}`;
  const alone = await runCli("init", "--set", `admin=${nobody}`, "--dir", inThe("alone"));
  expect(alone).toMatchObject({ code: 0, stderr: "" });
  expect(alone.stdout).toContain(`in tracejury serve,\n`);
  expect(alone.stdout).toContain(`tracejury test http://${nobody} --spec`);
  expect(alone.stdout).not.toContain("traces.jsonl");
  const off = await runCli("init", "--set", "admin=off", "--dir", inThe("off"));
  expect(off.stdout).toContain("tracejury test --exec 'COMMAND {query}' --spec");
});

test("a collector beside dumps: its runs are read once", async () => {
  const { stdout } = await runCli("inspect", address, ...dumps, "--format", "json");
  expect(stdout.trim().split("\n")).toHaveLength(recordings.length);
});

test("an address at which nothing answers: what is wrong, and what to give", async () => {
  const nobody = `http://127.0.0.1:${await freePort()}`;
  const { code, stderr } = await runCli("inspect", nobody);
  expect(code).toBe(2);
  expect(stderr).toContain(`no collector answers at ${nobody}`);
  expect(stderr).toContain("http://127.0.0.1:4319");
});

test("a collector without runs, and one that stores no telemetry, are told from one that has some", async () => {
  const [, empty] = await started();
  const [slim, url] = await started({ store: { ...inMemory, telemetry: false } });
  const none = await runCli("inspect", empty);
  expect(none).toMatchObject({ code: 2, stdout: "" });
  expect(none.stderr).toContain("has no run yet");
  await postRecording(slim, recordings[0] ?? "");
  await slim.whenIdle();
  await expect
    .poll(async () => (await runCli("inspect", url)).stderr, { timeout: 60_000 })
    .toContain("1 run left out: no telemetry is stored");
});

test("inspect, init and test leave the examples of npm start out", async () => {
  const [shown, url] = await started();
  const commands = [
    ["inspect", url],
    ["init", "--from", url, "--dir", temporaryFolder(), "--force"],
    ["test", url, ...spec],
  ];
  await sendRecordings(`http://${shown.listening.http}`);
  await until(async () => (await runsOf(url)) === 3);
  for (const command of commands)
    expect((await runCli(...command)).stderr).toContain(`${url}: found only 3 example runs of npm start`);
  await postRecording(shown, "rag-install.langgraph");
  await until(async () => (await runsOf(url)) === 4);
  for (const command of commands) {
    const { stdout, stderr } = await runCli(...command);
    expect([command, stderr]).toEqual([
      command,
      expect.stringContaining(`${url}: 3 example runs of npm start left out\n`),
    ]);
    expect([command, stdout]).toEqual([command, expect.not.stringContaining("tavily_search")]);
  }
});

test("doctor looks at the runs of one's own agent and at the specs about it, and not at the examples", async () => {
  const specs = ["dev-agent", "rag-agent", "support-router"].map(exampleSpec);
  const [shown, url] = await started({ specs });
  await sendRecordings(`http://${shown.listening.http}`);
  await until(async () => (await runsOf(url)) === 3);
  const alone = await runCli("doctor", url);
  expect(alone.stdout).toMatch(/^3 runs in 3 traces/);
  expect(alone.stdout.match(/^Checks of .*/gm)).toEqual(["Checks of specs/rag-agent.yaml (3 runs examined)"]);
  await postRecording(shown, "support-reset.agents-sdk");
  await until(async () => (await runsOf(url)) === 4);
  const { stdout } = await runCli("doctor", url);
  expect(stdout).toMatch(/^1 run in 1 trace/);
  expect(stdout.match(/^Checks of .*/gm)).toEqual(["Checks of specs/support-router.yaml (1 run examined)"]);
});

test("runs that are still open are awaited, unless they are few among many; then they are counted", async () => {
  const clock = new StoppedClock();
  const [slow, url] = await started({ now: clock.now });
  await postRecording(slow, recordings[0] ?? "");
  await until(() => slow.openTraces() > 0);
  const waits = "waiting up to 15 s for 1 trace that is still open";
  const onError = (text: string): void => void (text.includes(waits) && clock.start());
  const first = await runCliWith({ onError }, "inspect", url, "--format", "json");
  expect(first.stderr).toContain(waits);
  expect(first.stdout).toContain("Tokyo");
  clock.stop();
  await postRecording(slow, "rag-install.langgraph");
  await until(() => slow.openTraces() > 0);
  const second = await runCliWith({ onError }, "inspect", url, "--format", "json");
  expect(second.stderr).toContain(waits);
  expect(second.stderr).not.toContain("not read");
  expect(second.stdout.trim().split("\n")).toHaveLength(2);
  for (let n = 0; n < 10; n++) {
    const { tools, root } = agentTrace(7, n, 1);
    await postSpans(slow, [...tools, root]);
  }
  await until(async () => (await runsOf(url)) === 12);
  clock.stop();
  await postRecording(slow, recordings[1] ?? "");
  await until(() => slow.openTraces() > 0);
  const third = await runCli("inspect", url, "--format", "json");
  expect(third.stderr).toContain(
    "1 trace still open, so its runs were not read: repeat the command in some seconds (init then needs --force)",
  );
});

test("init and test --like leave out runs that the collector judged as failed, and say so", async () => {
  const [judging, url] = await started({ specs: [exampleSpec("rag-agent")] });
  for (const recording of recordings) await postRecording(judging, recording);
  await judging.whenIdle();
  await until(async () => (await runsOf(url)) === recordings.length);
  const leftOut = "1 run skipped (judged as failed by the collector); 1 used";
  const begun = await runCli("init", "--from", url, "--dir", inThe("judged"), "--no-config");
  expect(begun).toMatchObject({ code: 0, stderr: expect.stringContaining(leftOut) });
  // The failed run called a tool that the good run did not call.
  expect(readFileSync(inThe("judged/specs/rag-agent.yaml"), "utf8")).not.toContain("tavily");
  const compared = await runCli("test", ...dumps, "--like", url, "--judge", "off", "--no-config");
  expect(compared.stderr).toContain(leftOut);
  // The page proposes no spec of it either.
  const proposed = await (await fetch(`${url}/api/v1/proposed-specs`)).json();
  expect(proposed).toMatchObject({ runs: 1, failed: 1 });
});
