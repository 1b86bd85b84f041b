import { expect, test } from "vitest";
import { runCli } from "../support/run-cli.ts";
import { trendRecord } from "../store/stored-records.ts";
import { archiveOfTest } from "./served-archive.ts";

const DAY = 86_400_000;
const now = Date.UTC(2026, 10, 30, 12);

interface Changes {
  readonly runs: number;
  readonly bin_ms: number;
  readonly measures: readonly { readonly measure: string; readonly changes: readonly object[] }[];
}

test("when a query's pass rate fell, and that a version came with it", async () => {
  const { base, add } = await archiveOfTest(now);
  // Ten runs a day; from the twentieth on version 2 answers, and every second run fails.
  add(
    ...Array.from({ length: 290 }, (_, at) => trendRecord(at, at >= 200, now - 29 * DAY + at * (DAY / 10))),
  );
  const response = await fetch(`${base}/change-points?spec=s&query=q&since=30d`);
  expect(response.status).toBe(200);
  const { runs, bin_ms: binMs, measures } = (await response.json()) as Changes;
  expect([runs, binMs]).toEqual([290, DAY]);
  const changes = Object.fromEntries(measures.map((one) => [one.measure, one.changes]));
  expect(changes["pass_rate"]).toMatchObject([
    {
      direction: "down",
      before: { mean: 1 },
      also_changed: [{ what: "service.version", from: "1.9", to: "2.0", share_before: 0 }],
    },
  ]);
  const { code, stdout } = await runCli("report", base.replace("/api/v1", ""), "--trend", "--since", "30d");
  expect(code).toBe(0);
  expect(stdout).toContain("✗ pass rate fell from 100 % to 5");
  expect(stdout).toContain("at the same time: service.version 1.9 → 2.0");
  expect(changes["cost_usd"]).toEqual([]);
  expect(changes["latency_ms"]).toEqual([]);
});

test("a query that has no verdicts has no measures; one that is not named is refused", async () => {
  const { base } = await archiveOfTest(now);
  expect(await (await fetch(`${base}/change-points?spec=s&query=none`)).json()).toMatchObject({
    runs: 0,
    measures: [],
  });
  expect((await fetch(`${base}/change-points?spec=s`)).status).toBe(400);
});

test("an address without a collector, and a collector without runs, are said", async () => {
  const { base } = await archiveOfTest(now);
  const address = base.replace("/api/v1", "");
  expect((await runCli("report", address)).stderr).toContain("has no run yet");
  expect((await runCli("report", "http://127.0.0.1:1", "--trend")).code).toBe(2);
  expect((await runCli("report", address, "--trend")).stdout).toContain("no judged run to report");
});
