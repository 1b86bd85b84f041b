import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { readRuns, startCollector, testDumps, TracejuryError, type VerdictJson } from "../../src/index.ts";
import { cli } from "../support/run-cli.ts";

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

test("a collector in the same process judges what it is sent", async () => {
  const verdicts: VerdictJson[] = [];
  const collector = await startCollector({
    specs,
    set: [
      "receive.http=127.0.0.1:0",
      "receive.grpc=off",
      "admin=off",
      "journal.durability=memory",
      "store.mode=memory",
      "judge.mode=off",
    ],
    onVerdict: (verdict) => verdicts.push(verdict),
  });
  for (const body of readFileSync(broken, "utf8").split("\n").filter(Boolean)) {
    const headers = { "content-type": "application/json" };
    await fetch(`http://${collector.listening.http}/v1/traces`, { method: "POST", headers, body });
  }
  await collector.stop();
  expect(verdicts).toMatchObject([{ query_id: "weather", outcome: "fail", hard_fail: true }]);
});
