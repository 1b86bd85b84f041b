import { describe, expect, test } from "vitest";
import type { ExitRules } from "../../src/report/render/tally/exit-code.ts";
import {
  type ReportedRun,
  reportUnjudged,
  reportVerdict,
} from "../../src/report/render/findings/reported.ts";
import type { Findings } from "../../src/report/render/json/result.ts";
import { resultJson } from "../support/result-json.ts";
import { resultOf } from "../support/result-of.ts";
import type { RunText } from "../support/run-of.ts";
import { runOf } from "../support/run-of.ts";
import { evaluated } from "../support/evaluated.ts";
import { withVerdict } from "../support/with-verdict.ts";

const reported = (query: Parameters<typeof evaluated>[0], run: RunText = {}) =>
  reportVerdict(evaluated(query, run));

const passing = reported({ path: { max_tool_calls: 1 } });
const warning = reported({ path: { max_tool_calls: 0 } }, { tools: ["a"] });
const failing = reported({ correctness: { exact_match: "no" } });
const incomplete = reported({ cost: { max_cost_usd: 1 } });
const skipped = reported({});
const broken = withVerdict(passing, { ...passing.verdict, outcome: "error" });
const stray: ReportedRun = reportUnjudged({
  run: runOf(),
  spec: "rag-agent",
  reason: "no query fits",
  candidates: ["a", "b"],
});
const missing = { queryId: "q", query: "Q?", spec: "rag-agent" };
const unreadable = { file: "dump.jsonl", line: 7, reason: "not JSON" };

describe("exit code", () => {
  const cases: readonly [
    what: string,
    found: Partial<Findings>,
    rules: Partial<ExitRules>,
    code: number,
    why: string,
  ][] = [
    ["passed", { verdicts: [passing] }, {}, 0, ""],
    ["warnings are allowed", { verdicts: [warning] }, {}, 0, ""],
    ["nothing asserted of one run", { verdicts: [skipped, passing] }, {}, 0, ""],
    [
      "nothing asserted at all",
      { verdicts: [skipped] },
      {},
      2,
      "no run was judged: all checks of all runs were skipped",
    ],
    ["nothing asserted at all, relaxed", { verdicts: [skipped] }, { allowEmpty: true }, 0, ""],
    ["unmatched runs never count", { verdicts: [passing], unmatched: [stray] }, {}, 0, ""],
    ["a failure", { verdicts: [passing, failing] }, {}, 1, "1 run failed"],
    [
      "warnings with --fail-on warn",
      { verdicts: [warning, warning] },
      { failOnWarn: true },
      1,
      "2 runs warned (--fail-on warn)",
    ],
    ["incomplete", { verdicts: [incomplete] }, {}, 2, "1 verdict is incomplete"],
    ["incomplete, relaxed", { verdicts: [incomplete] }, { onIncomplete: "warn" }, 0, ""],
    [
      "incomplete, hardened",
      { verdicts: [incomplete] },
      { onIncomplete: "fail" },
      1,
      "1 verdict is incomplete",
    ],
    [
      "the evaluator failed",
      { verdicts: [broken] },
      { onIncomplete: "warn" },
      2,
      "1 run could not be evaluated",
    ],
    ["missing", { verdicts: [passing], missing: [missing] }, {}, 2, "1 query had no run"],
    ["missing, relaxed", { verdicts: [passing], missing: [missing] }, { onMissing: "warn" }, 0, ""],
    ["missing, hardened", { missing: [missing, missing] }, { onMissing: "fail" }, 1, "2 queries had no run"],
    ["ambiguous", { ambiguous: [stray] }, {}, 2, "1 run matches several queries"],
    [
      "invalid input",
      { verdicts: [passing], invalidInput: [unreadable] },
      {},
      2,
      "1 piece of input is unreadable",
    ],
    [
      "invalid input, skipped",
      { verdicts: [passing], invalidInput: [unreadable] },
      { skipInvalid: true },
      0,
      "",
    ],
    ["no run at all", { runs: 0 }, { onMissing: "warn" }, 2, "no run in the input"],
    ["no query selected", { queries: 0 }, {}, 2, "no query selected"],
    ["1 wins over 2", { verdicts: [failing, incomplete], ambiguous: [stray] }, {}, 1, "1 run failed"],
  ];
  test.each(cases)("%s", (_, found, rules, code, why) => {
    const { exit, summary } = resultOf(found, rules);
    expect(exit.code).toBe(code);
    expect(exit.reasons[0] ?? "").toBe(why);
    expect(summary.exit_code).toBe(code);
  });
});

test("the summary counts every outcome once", () => {
  const { summary } = resultOf({
    runs: 9,
    verdicts: [passing, warning, warning, failing, incomplete, skipped, broken],
    missing: [missing],
    unmatched: [stray],
    ambiguous: [stray],
  });
  expect(summary).toEqual({
    total: 7,
    passed: 1,
    warnings: 2,
    failed: 1,
    incomplete: 1,
    errors: 1,
    skipped: 1,
    missing: 1,
    unmatched: 1,
    ambiguous: 1,
    runs: 9,
    exit_code: 1,
  });
});

test("verdicts stand by start, then trace id, then span id, however they came", () => {
  const at = (startUnixMs: number, traceId: string, rootSpanId: string): ReturnType<typeof reported> =>
    reported({}, { startUnixMs, traceId, rootSpanId, runId: `${traceId}-${rootSpanId}` });
  const sorted = [at(1, "b", "1"), at(2, "a", "2"), at(2, "b", "1"), at(2, "b", "2")];
  for (const verdicts of [
    sorted,
    sorted.toReversed(),
    [2, 0, 3, 1].flatMap((index) => sorted[index] ?? []),
  ]) {
    const json = resultJson(resultOf({ verdicts }));
    expect(json.verdicts.map(({ run_id }) => run_id)).toEqual(["b-1", "a-2", "b-1", "b-2"]);
  }
});
