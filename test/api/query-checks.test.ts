import { describe, expect, test } from "vitest";
import type { Outcome } from "../../src/model/outcome.ts";
import type { JudgedRecord } from "../../src/store/read/stored.ts";
import { HOUR, now, record } from "../store/stored-records.ts";
import { archiveOfTest } from "./served-archive.ts";

type Checks = readonly (readonly [check: string, line: number, outcome: Outcome])[];

/** A run of query `q`, so many hours ago; the checks of its path layer. */
function runOf(run: number, checks: Checks, hoursAgo = 0, revision = 1): JudgedRecord {
  const path = checks.map(([check, line, outcome]) => ({
    check,
    outcome,
    source: { file: "s.yaml", line, column: 7 },
  }));
  const layers = { correctness: { checks: [] }, path: { checks: path }, cost: { checks: [] } };
  const made = record({ run, revision, judgedUnixMs: now - hoursAgo * HOUR, bytes: null });
  const json = JSON.stringify({ verdict_id: `v${run}`, layers });
  return { ...made, verdicts: made.verdicts.map((verdict) => ({ ...verdict, json })) };
}

async function asked(records: readonly JudgedRecord[], query = "?since=24h"): Promise<unknown> {
  const { base, add } = await archiveOfTest(now);
  add(...records);
  return (await fetch(`${base}/queries/q/checks${query}`)).json();
}

describe("how often each check of a query held", () => {
  test("is counted by the line of the spec, in the order of lines", async () => {
    const found = await asked([
      runOf(1, [
        ["max_loops", 12, "pass"],
        ["max_tool_calls", 10, "warn"],
      ]),
      runOf(2, [
        ["max_tool_calls", 10, "pass"],
        ["max_loops", 12, "pass"],
      ]),
    ]);
    expect(found).toEqual({
      runs: 2,
      is_partial: false,
      checks: [
        {
          check: "max_tool_calls",
          layer: "path",
          source: { file: "s.yaml", line: 10 },
          outcomes: { warn: 1, pass: 1 },
        },
        { check: "max_loops", layer: "path", source: { file: "s.yaml", line: 12 }, outcomes: { pass: 2 } },
      ],
    });
  });

  test("a check that every turn is asked counts once a run, with its worst outcome", async () => {
    const turns: Checks = [
      ["max_loops", 12, "pass"],
      ["max_loops", 12, "fail"],
      ["max_loops", 12, "pass"],
    ];
    expect(await asked([runOf(1, turns)])).toMatchObject({ checks: [{ outcomes: { fail: 1 } }] });
  });

  test("a verdict that says nothing of its checks is a run all the same", async () => {
    const [one] = runOf(1, []).verdicts;
    const old = {
      ...runOf(1, []),
      verdicts: one === undefined ? [] : [{ ...one, json: '{"verdict_id":"v1"}' }],
    };
    expect(await asked([old])).toEqual({ runs: 1, is_partial: false, checks: [] });
  });

  test("of very many runs the newest are read, and that is said", async () => {
    const many = Array.from({ length: 301 }, (_, at) => runOf(at + 1, [["max_loops", 12, "pass"]]));
    expect(await asked(many)).toMatchObject({ runs: 300, is_partial: true });
  });
});
