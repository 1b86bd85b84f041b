import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { defaultTraceTimeouts, unlimitedTraceTimeouts } from "../../src/assemble/timeouts/trace-timeouts.ts";
import { createEngine } from "../../src/replay/engine.ts";
import { createJudgeRun } from "../../src/pipeline/judge-run.ts";
import { decodeRequest } from "../../src/receive/body/decode-request.ts";
import { verdictJson } from "../../src/report/json/verdict-json.ts";
import { asJson, asProtobuf, type LooseSpan, spansOfLines } from "../support/reencode.ts";
import { exampleSpec, specOf } from "../support/spec-of.ts";

const specs = [
  ...["rag-agent", "dev-agent", "support-router"].map(exampleSpec),
  specOf(
    'version: 1\nagent: "*"\nqueries:\n  - query: "*"\n    path: { max_tool_calls: 3 }\n    cost: { max_total_tokens: 500 }',
  ),
];
const recordings = readdirSync("test/fixtures/runs");
type Request = readonly [Uint8Array, "json" | "protobuf"];

/** The verdicts on what the requests hold, as bytes; only how a trace was closed, and which revision it is, may differ. */
function verdictsOn(requests: readonly Request[], live: boolean): string {
  const verdicts = new Map<string, string>();
  const judge = createJudgeRun({ specs, judgeSkipPolicy: { judge: "off" }, engine: "test" });
  const { pipeline } = createEngine({
    timeouts: live ? defaultTraceTimeouts : unlimitedTraceTimeouts,
    quietMs: live ? 15_000 : Infinity,
    attributes: [],
    prices: {},
    seed: live ? 12_345 : 0,
    onRun: (run) => {
      for (const verdict of judge(run).verdicts) {
        const { close_reason: _, revision: __, ...rest } = verdictJson(verdict);
        verdicts.set(verdict.verdictId, JSON.stringify(rest));
      }
    },
  });
  for (const [body, encoding] of requests) {
    const decoded = decodeRequest(body, "traces", encoding);
    if (!decoded.ok || decoded.batch === null) throw new Error(decoded.ok ? "no batch" : decoded.message);
    pipeline.accept(decoded.batch, 0);
  }
  if (live) for (let now = 0; now <= 400_000; now += 1_000) pipeline.tick(now);
  else pipeline.drain("eof", 0);
  return [...verdicts.values()].sort((a, b) => (a < b ? -1 : 1)).join("\n");
}

/** A fixed order that has nothing to do with the given one. */
function shuffled<Item>(items: readonly Item[]): Item[] {
  return items
    .map((item, index) => ({ item, rank: (index * 2_654_435_761) % 4_294_967_296 }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ item }) => item);
}

const oneByOne = (spans: readonly LooseSpan[]): Request[] =>
  spans.map((span, index) => (index % 2 === 0 ? [asJson([span]), "json"] : [asProtobuf([span]), "protobuf"]));

test.each(recordings)("A13 %s: the same verdict bytes however it arrives", (name) => {
  const spans = spansOfLines(readFileSync(`test/fixtures/runs/${name}`, "utf8"));
  const whole = verdictsOn([[asJson(spans), "json"]], false);

  expect(whole).not.toBe("");
  expect(verdictsOn([[asProtobuf(spans), "protobuf"]], false)).toBe(whole);
  expect(verdictsOn(oneByOne(spans), false)).toBe(whole);
  expect(verdictsOn(oneByOne(shuffled([...spans, ...spans])), false)).toBe(whole);
  expect(verdictsOn(oneByOne(shuffled([...spans, ...spans])), true)).toBe(whole);
});

test("all recordings at once give what they give one by one", () => {
  const spans = recordings.flatMap((name) =>
    spansOfLines(readFileSync(`test/fixtures/runs/${name}`, "utf8")),
  );
  const apart = recordings.flatMap((name) =>
    verdictsOn(
      [[asJson(spansOfLines(readFileSync(`test/fixtures/runs/${name}`, "utf8"))), "json"]],
      false,
    ).split("\n"),
  );

  expect(
    verdictsOn([[asProtobuf(shuffled(spans)), "protobuf"]], false)
      .split("\n")
      .sort(),
  ).toEqual(apart.sort());
});
