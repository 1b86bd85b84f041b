import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { passRatesWords, passRateWords } from "../../ui/src/compare/pass-rate-words.ts";
import { cleanRate } from "../../ui/src/tables/pooled-sums.ts";
import type { Sums } from "../../ui/src/views/query-data.ts";

/* Runs with warnings pass: wherever a pass rate is shown, how many of them did is beside it. */

test("the rate of one side, and of both", () => {
  const a = { passed: 9, warned: 0, decided: 10 };
  const b = { passed: 9, warned: 3, decided: 10 };
  const none = { passed: 0, warned: 0, decided: 0 };
  expect([a, b, none].map(passRateWords)).toEqual(["90.0 %", "90.0 % (3 with warnings)", "not decided"]);
  expect(passRatesWords(a, a)).toBe("90.0 % both");
  expect(passRatesWords(a, b)).toBe("90.0 % → 90.0 % (3 with warnings)");
  expect(passRatesWords(none, none)).toBe("not decided");
  expect(passRatesWords(none, a)).toBe("not decided → 90.0 %");
});

test("the trend has a line of the runs that passed without a warning", () => {
  const sums: Pick<Sums, "pass_rate" | "outcomes"> = {
    pass_rate: 0.8,
    outcomes: { pass: 6, warn: 2, fail: 2 },
  };
  expect(cleanRate(sums)).toBeCloseTo(0.6, 12);
  expect(cleanRate({ ...sums, pass_rate: 0, outcomes: { fail: 1 } })).toBe(0);
  expect(cleanRate({ ...sums, pass_rate: null, outcomes: { incomplete: 1 } })).toBeNull();
});

test("the dashboard shows the share of runs that pass with a warning", () => {
  const text = readFileSync("docker/grafana/dashboards/tracejury.json", "utf8");
  const { panels } = JSON.parse(text) as { panels: { title: string; targets?: { expr: string }[] }[] };
  const panel = panels.find(({ title }) => title === "Share of runs that pass with a warning");
  expect(panel?.targets?.[0]?.expr).toContain('outcome="warn"');
});
