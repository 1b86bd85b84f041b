import { readdirSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { HeldFindings } from "../../src/replay/findings/held-findings.ts";
import { TemporaryFile } from "../../src/replay/findings/temporary-file.ts";
import { UserError } from "../../src/support/process/io.ts";
import { formats } from "../../src/report/render/formats/format-names.ts";
import { reportPage } from "../support/report-page.ts";
import { renderReport } from "../../src/report/render/formats/formats.ts";
import { partLines } from "../../src/report/render/findings/part.ts";
import {
  type ReportedRun,
  type ReportedVerdict,
  reportVerdict,
} from "../../src/report/render/findings/reported.ts";
import { plainTheme } from "../../src/report/render/terminal/printable.ts";
import { arbitraryVerdict } from "../support/arbitrary-verdict.ts";
import { resultOf } from "../support/result-of.ts";
import { withVerdict } from "../support/with-verdict.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const place = fc.record({
  startUnixMs: fc.integer({ min: 1, max: 3 }),
  traceId: fc.constantFrom("a", "b"),
  spanId: fc.constantFrom("1", "2"),
});
const verdicts = fc.uniqueArray(
  fc.record({ place, verdict: arbitraryVerdict }).map(({ place: at, verdict }): ReportedVerdict => {
    const reported = reportVerdict(verdict);
    const changed = { type: "TOOLS_CHANGED", severity: "error", layer: "path", message: "others" } as const;
    const differences = [{ ...changed, before: ["a"], after: ["\ud800", "b"] }];
    const compared = { version: "v1", variant: 1, differences, regressed: true, undecided: false };
    return {
      ...withVerdict(reported, reported.verdict),
      place: at,
      compared: at.startUnixMs === 2 ? compared : null,
    };
  }),
  {
    selector: ({ place: { startUnixMs, traceId, spanId }, verdict }) =>
      [startUnixMs, traceId, spanId, verdict.verdict_id].join(),
    maxLength: 12,
  },
);
const runs = fc.array(
  fc
    .record({ place, query: fc.option(fc.string()), spec: fc.constantFrom("a", "b") })
    .map(({ place: at, query, spec }): ReportedRun => ({
      place: at,
      query,
      spec,
      traceId: at.traceId,
      runId: at.spanId,
      reason: "no query fits",
      candidates: ["x", "y"],
    })),
  { maxLength: 8 },
);
const found = fc.record({ verdicts, unmatched: runs, ambiguous: runs });

let folder: string;
const before = process.env["TMPDIR"];
beforeEach(() => {
  folder = temporaryFolder();
  process.env["TMPDIR"] = folder;
});
afterEach(() => {
  if (before === undefined) delete process.env["TMPDIR"];
  else process.env["TMPDIR"] = before;
});

function hold(all: typeof found extends fc.Arbitrary<infer Found> ? Found : never, isOrdered = true) {
  const held = new HeldFindings({ isOrdered, room: { items: 2, bytes: 6_000 } });
  for (const one of all.verdicts) held.verdict(one);
  for (const one of all.unmatched) held.unmatched(one);
  for (const one of all.ambiguous) held.ambiguous(one);
  return held;
}

describe("findings that do not stay in memory", () => {
  test.each(formats)("make the same report: %s", (format) => {
    fc.assert(
      fc.property(found, (all) => {
        const held = hold(all);
        try {
          const gated = [{ spec: "rag-agent", queryId: "q", reliability: { min_runs: 2 } }];
          const report = renderReport(resultOf({ ...held.findings(), gated }), format, plainTheme, {
            page: reportPage,
          });
          expect(report).toBe(
            renderReport(resultOf({ ...all, gated }), format, plainTheme, { page: reportPage }),
          );
        } finally {
          held.close();
        }
      }),
      { numRuns: 8 },
    );
  });

  test("make the same part of --shard, line by line", () => {
    fc.assert(
      fc.property(found, (all) => {
        const held = hold(all, false);
        const part = { index: 1, count: 2, seen: 1 };
        const text = [...partLines({ ...part, findings: { ...resultOf({}), ...held.findings() } })];
        held.close();
        expect(text).toEqual([...partLines({ ...part, findings: { ...resultOf({}), ...all } })]);
      }),
      { numRuns: 8 },
    );
  });
});

describe("the file that they wait in", () => {
  test.skipIf(process.platform === "win32")("has no name that anybody could find", () => {
    const file = new TemporaryFile();
    file.append("some");
    file.append("thing");

    expect(file.read(4, 5).toString()).toBe("thing");
    expect(readdirSync(folder)).toEqual([]);
    file.close();
  });

  test("says what to do when there can be none", () => {
    process.env["TMPDIR"] = join(folder, "nowhere");

    expect(() => new TemporaryFile()).toThrow(UserError);
    expect(() => new TemporaryFile()).toThrow(/temporary file.* cannot be made: ENOENT/);
  });
});
