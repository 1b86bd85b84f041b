import { describe, expect, it } from "vitest";
import { judgedLines } from "../../src/collector/terminal/judged-lines.ts";
import type { JudgedRun } from "../../src/pipeline/judge-run.ts";
import { plainTheme } from "../../src/report/render/terminal/printable.ts";
import { judgedRun } from "../support/verdict-of.ts";

function unclaimed(agent: string, reason: string): JudgedRun {
  const run = judgedRun({ agent, query: "Where is my parcel?" });
  const unmatched = [{ run, spec: "billing", reason, candidates: [] }];
  return { run, verdicts: [], matched: [], unmatched, ambiguous: [] };
}

describe("what a watched collector says of a run that no spec claims", () => {
  it("names the question, the agent, and why the nearest spec does not", () => {
    expect(judgedLines(unclaimed("helper", "the text differs"), plainTheme)).toBe(
      `· "Where is my parcel?" (agent helper): spec billing: the text differs\n`,
    );
  });

  it("says that no spec is about the agent, where that is why", () => {
    const { unmatched, ...judged } = unclaimed(
      "helper",
      'a run of "helper", but the spec is for the agent "billing"',
    );
    const ofOther = unmatched.map((one) => ({ ...one, isOfOtherAgent: true as const }));
    expect(judgedLines({ ...judged, unmatched: ofOther }, plainTheme)).toBe(
      `· "Where is my parcel?" (agent helper): no spec has this agent in \`agent\`\n`,
    );
  });

  it("lets no control characters of a sender through to the terminal", () => {
    const lines = judgedLines(unclaimed("a\u001b]0;x\u0007", "named \u009b31m"), plainTheme);
    // oxlint-disable-next-line no-control-regex
    expect(lines).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
  });

  it("says nothing of a run outside the sample", () => {
    expect(judgedLines({ ...unclaimed("helper", "none"), isSampledOut: true }, plainTheme)).toBe("");
  });
});
