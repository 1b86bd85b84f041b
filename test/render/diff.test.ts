import { expect, test } from "vitest";
import { compareSides } from "../../src/report/baseline/compare.ts";
import type { DiffReport } from "../../src/report/baseline/diff.ts";
import { tiersOf } from "../../src/report/baseline/differences/tiers.ts";
import { diffConsole } from "../../src/report/render/diff/diff-console.ts";
import { diffMarkdown } from "../../src/report/render/diff/diff-markdown.ts";
import { plainTheme } from "../../src/report/render/terminal/printable.ts";
import { runOf } from "../support/run-of.ts";

function reportOf(beforeMs: number, afterMs: number): DiffReport {
  const side = (durationMs: number, answer: string) => ({
    version: "v",
    run: runOf({ durationMs, answer, costUsd: 0.0012 }),
    judged: null,
  });
  const [before, after] = [side(beforeMs, "Yes."), side(afterMs, "No, that is not possible.")];
  const named = { agent: "a", queryId: "q", query: "Q?", spec: null, source: null };
  const tiers = tiersOf(before, after, undefined);
  const queries = [{ ...compareSides(before, after), ...named, tiers, before, after }];
  const none = { onlyInBaseline: [], onlyInCompare: [], failingOnlyInCompare: [], unseen: [] };
  return { baseline: "1", compare: "2", queries, ...none };
}

test("a small change of the latency shows both values and the tolerance", () => {
  const report = reportOf(320, 349);
  expect(diffConsole(report, 0, plainTheme)).toContain(
    "Latency 320 ms → 349 ms (a change below 10% or 50 ms counts as unchanged)",
  );
  expect(diffMarkdown(report, 0)).toContain(
    "| latency ms | 320 | 349 | +9.1 % (a change below 10% or 50 ms counts as unchanged) |",
  );
});

test("an equal latency is unchanged, and costs are in dollars", () => {
  const report = reportOf(320, 320);
  expect(diffConsole(report, 0, plainTheme)).toMatch(/unchanged: .*Total cost \$0\.0012.*Latency 320 ms\n/);
  expect(diffMarkdown(report, 0)).toMatch(/\| unchanged: cost usd.*latency ms \|/);
});
