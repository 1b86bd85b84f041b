import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readRuns, startCollector, testDumps, TracejuryError, type VerdictJson } from "../../src/index.ts";
import { postDump } from "../support/post-dump.ts";
import { cli } from "../support/run-cli.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const broken = "test/fixtures/runs/rag-weather-broken.langgraph.jsonl";
const specs = ["specs/rag-agent.yaml"];

test("testDumps gives what test --format json writes", async () => {
  const said = await cli`test ${broken} --spec specs/rag-agent.yaml --judge off --format json`;
  expect(await testDumps([broken], { specs, judge: "off" })).toEqual(JSON.parse(said.stdout));
});

test("readRuns gives the runs, and what could not be read", async () => {
  const { runs, invalid } = await readRuns([broken]);
  expect(runs).toMatchObject([{ query: "What's the weather in Tokyo?", totalTokens: 4200 }]);
  expect(invalid).toEqual([]);
});

test.each([
  ["a dump that is not there", () => readRuns(["none.jsonl"]), /none\.jsonl/],
  ["a spec that is not there", () => testDumps([broken], { specs: ["none.yaml"] }), /none\.yaml/],
  ["an invalid setting", () => readRuns([broken], { set: ["receive.htpp=1"] }), /htpp/],
  ["a port that is no port", () => startCollector({ specs, set: ["receive.http='nowhere'"] }), /host:port/],
])("%s is refused with what is wrong", async (_, call, said) => {
  const refused = call();
  await expect(refused).rejects.toBeInstanceOf(TracejuryError);
  await expect(refused).rejects.toThrow(said);
});

const set = [
  "receive.http=127.0.0.1:0",
  "receive.grpc=off",
  "admin=off",
  "journal.durability=memory",
  "store.mode=memory",
  "judge.mode=off",
];

test("a collector in the same process judges what it is sent, and can be stopped twice", async () => {
  const verdicts: VerdictJson[] = [];
  const collector = await startCollector({ specs, set, onVerdict: (verdict) => verdicts.push(verdict) });
  await postDump(`http://${collector.listening.http}`, broken);
  await Promise.all([collector.stop(), collector.stop()]);
  await collector.stop();
  expect(verdicts).toMatchObject([{ query_id: "weather", outcome: "fail", hard_fail: true }]);
});

test.each(["claude-code/stop", "gemini-cli/tool-error", "qwen-code/refused"])(
  "a collector is idle only when the runs of sessions without spans are judged: %s",
  async (recording) => {
    const dump = `test/fixtures/recordings/${recording}/logs.jsonl`;
    const { runs } = await readRuns([dump]);
    const spec = join(temporaryFolder(), "any.yaml");
    writeFileSync(spec, 'agent: "*"\nqueries: [{ query: "*" }]\n');
    const verdicts: VerdictJson[] = [];
    const collector = await startCollector({
      specs: [spec],
      set: [...set, "assemble.idle=300ms", "assemble.root_quiet=100ms", "assemble.root_open=1s"],
      onVerdict: (verdict) => verdicts.push(verdict),
    });
    await postDump(`http://${collector.listening.http}`, dump, "/v1/logs");
    await collector.whenIdle();
    expect(verdicts.map(({ run_id }) => run_id).sort()).toEqual(runs.map(({ runId }) => runId).sort());
    await collector.stop();
  },
);
