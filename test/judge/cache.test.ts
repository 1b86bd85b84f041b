import { appendFile, mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { withRepair } from "../../src/evaluate/judge/ask/repair.ts";
import type { JudgePort } from "../../src/evaluate/judge/ask/port.ts";
import { cached } from "../../src/judge/cache/cached.ts";
import { openVerdictCache } from "../../src/judge/cache/cache-file.ts";
import { runOf } from "../support/run-of.ts";
import { judgedOnce, judging } from "./support/judging.ts";
import { replied, said, scriptedPort } from "./support/scripted-port.ts";

let path = "";
beforeEach(async () => {
  path = join(await mkdtemp(join(tmpdir(), "verdicts-")), "cache", "judge.jsonl");
});

const correctness = { llm_judge: [{ rule: "is kind" }] };

test("a question is asked once, also by the next process", async () => {
  const port = scriptedPort(() => replied(said(4)));
  const first = await openVerdictCache(path);
  const asked = await judgedOnce({ port: cached(port, first), correctness });
  await first.flush();
  const second = await openVerdictCache(path);
  const again = await judgedOnce({ port: cached(port, second), correctness });

  expect(port.asked).toHaveLength(1);
  expect([asked.judge?.cached, again.judge?.cached]).toEqual([false, true]);
  expect({ ...again, judge: null }).toEqual({ ...asked, judge: null });
  expect(again.judge).toMatchObject({ score: 4, rationale: "because 4", durationMs: 0 });
});

test.each([
  ["the answer", {}, { run: runOf({ answer: "another" }) }],
  ["the rule", { correctness: { llm_judge: [{ rule: "is short" }] } }, {}],
  ["the model", { settings: { model: "openai/judge-2" } }, {}],
  [
    "the examples",
    { correctness: { llm_judge: [{ rule: "is kind", few_shot_examples: [{ output: "x", score: 1 }] }] } },
    {},
  ],
])("another question is asked when %s changes", async (_, spec, run) => {
  const port = scriptedPort(() => replied(said(4)));
  const cache = await openVerdictCache(path);
  await judgedOnce({ port: cached(port, cache), correctness });
  await judgedOnce({ port: cached(port, cache), correctness, ...spec, ...run });
  expect(port.asked).toHaveLength(2);
});

test("a threshold may change: the same score is looked at again", async () => {
  const port = scriptedPort(() => replied(said(4)));
  const cache = await openVerdictCache(path);
  const outcomes = [];
  for (const threshold of [0.8, 1])
    outcomes.push(
      (
        await judgedOnce({
          port: cached(port, cache),
          correctness: { llm_judge: [{ rule: "r", name: "n", threshold }] },
        })
      ).outcome,
    );
  expect([outcomes, port.asked.length]).toEqual([["pass", "fail"], 1]);
});

test("the same question at the same time is asked once", async () => {
  const port = scriptedPort(() => replied(said(4)));
  const cache = await openVerdictCache(path);
  const rule = { rule: "is kind", name: "same" };
  const results = await judging({
    port: cached(port, cache),
    correctness: { llm_judge: [rule, rule, rule] },
  });
  expect([port.asked.length, results.map((it) => it.outcome)]).toEqual([1, ["pass", "pass", "pass"]]);
});

describe("what is not kept", () => {
  test("failures", async () => {
    const port = scriptedPort((_, n) => (n === 0 ? "down" : replied(said(4))));
    const cache = await openVerdictCache(path);
    const outcomes = [];
    for (let i = 0; i < 2; i++)
      outcomes.push((await judgedOnce({ port: cached(port, cache), correctness })).outcome);
    expect(outcomes).toEqual(["error", "pass"]);
  });

  test("replies that could not be used; a repaired one is", async () => {
    const port = scriptedPort((_, n) => replied(n === 0 ? "broken" : said(4)));
    const cache = await openVerdictCache(path);
    const judges: JudgePort = cached(withRepair(port), cache);
    await judgedOnce({ port: judges, correctness });
    await judgedOnce({ port: judges, correctness });
    expect(port.asked).toHaveLength(2);
  });
});

test("lines that are not entries are skipped and named", async () => {
  const port = scriptedPort(() => replied(said(4)));
  const cache = await openVerdictCache(path);
  await judgedOnce({ port: cached(port, cache), correctness });
  await cache.flush();
  const good = await readFile(path, "utf8");
  await writeFile(path, `{"v":1,"key":"short"}\n${good}not json\n\n${good.slice(0, 80)}`);
  const damaged = await openVerdictCache(path);
  await judgedOnce({ port: cached(port, damaged), correctness });

  expect(port.asked).toHaveLength(1);
  expect(damaged.problems).toEqual([expect.stringContaining("3 unusable lines are skipped (line 1, 3, 5)")]);
});

test("a kept reply that is no answer to the question is asked for again", async () => {
  const port = scriptedPort(() => replied(said(4)));
  const cache = await openVerdictCache(path);
  await judgedOnce({ port: cached(port, cache), correctness });
  await cache.flush();
  await writeFile(path, (await readFile(path, "utf8")).replace('"score":4', '"score":9'));
  const forged = await openVerdictCache(path);
  expect(await judgedOnce({ port: cached(port, forged), correctness })).toMatchObject({
    outcome: "pass",
    value: 4,
  });
  expect(port.asked).toHaveLength(2);
});

test("files of several jobs may be joined", async () => {
  const port = scriptedPort(() => replied(said(4)));
  const other = `${path}.other`;
  for (const [file, answer] of [
    [path, "a"],
    [other, "b"],
  ] as const) {
    const cache = await openVerdictCache(file);
    await judgedOnce({ port: cached(port, cache), correctness, run: runOf({ answer }) });
    await cache.flush();
  }
  await appendFile(path, await readFile(other, "utf8"));
  const joined = await openVerdictCache(path);
  for (const answer of ["a", "b"])
    await judgedOnce({ port: cached(port, joined), correctness, run: runOf({ answer }) });
  expect(port.asked).toHaveLength(2);
});

test("a file that can not be written is said, and judging goes on", async () => {
  const port = scriptedPort(() => replied(said(4)));
  const cache = await openVerdictCache("/dev/null/cache.jsonl");
  expect(await judgedOnce({ port: cached(port, cache), correctness })).toMatchObject({ outcome: "pass" });
  await cache.flush();
  expect(cache.problems.join()).toContain("ENOTDIR");
});
