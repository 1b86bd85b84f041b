import { describe, expect, test } from "vitest";
import { slackBody } from "../../src/export/webhook/slack.ts";
import { webhookVerdict } from "../../src/export/webhook/verdict-body.ts";
import { renderReport } from "../../src/report/render/formats/formats.ts";
import { reportPage } from "../support/report-page.ts";
import { reportVerdict } from "../../src/report/render/findings/reported.ts";
import { plainTheme } from "../../src/report/render/terminal/printable.ts";
import { verdictJson } from "../../src/report/json/verdict-json.ts";
import { verdictLine } from "../../src/collector/terminal/judged-lines.ts";
import { verdictSchema } from "../../src/report/json/verdict-schema.ts";
import { evaluated } from "../support/evaluated.ts";
import { resultOf } from "../support/result-of.ts";
import type { RunText } from "../support/run-of.ts";

const quota = "429: quota exceeded";
const run: RunText = { status: "error", error: quota, answer: null, tools: ["search", "search"] };
const query = {
  id: "order",
  correctness: { run_status: "ok", expected_in_answer: ["way"] },
  path: { max_tool_calls: 1 },
};
const verdict = evaluated(query, run);
const fine = evaluated({ ...query, path: {} }, {});
const report = (format: Parameters<typeof renderReport>[1], of = verdict): string =>
  renderReport(resultOf({ verdicts: [reportVerdict(of)] }), format, plainTheme, { page: reportPage });

describe("the error of a run comes first", () => {
  test("in the lines of a watched collector", () => {
    const [, second] = verdictLine(verdict, plainTheme).split("\n");
    expect(second).toMatch(/^ +error +429: quota exceeded$/);
    expect(verdictLine(fine, plainTheme)).not.toMatch(/^ +error/m);
  });

  test("in JSON, and in HTML with the run", () => {
    expect([verdictJson(verdict).error, verdictJson(fine).error]).toEqual([quota, null]);
    expect(report("html")).toContain(`"error":"${quota}"`);
    expect(report("html", fine)).toContain('"error":null');
  });

  test("in JUnit, as the failure's message, and before the other facts", () => {
    const xml = report("junit");
    for (const text of [
      `<failure message="run_status: ${quota}"`,
      `error: ${quota}\nquery:`,
      "ended in an error)",
    ])
      expect(xml).toContain(text);
  });

  test("in Slack, before the query, and once", () => {
    const text = slackBody([verdictJson(verdict)]).blocks[1]?.text.text ?? "";
    const lines = text.split("\n");
    expect(lines[1]).toBe(`*Error:* ${quota}`);
    expect(lines[2]).toMatch(/^> /);
    expect(text.split(quota)).toHaveLength(2);
    expect(slackBody([verdictJson(fine)]).blocks[1]?.text.text).not.toContain("Error");
  });

  test("in Slack, hostile words mention nobody", () => {
    const hostile = evaluated(query, { ...run, error: "<!channel> & <@U1>" });
    const text = slackBody([verdictJson(hostile)]).blocks[1]?.text.text ?? "";
    expect(text).toContain("*Error:* &lt;!channel&gt; &amp; &lt;@U1&gt;");
  });
});

const errorIn = (text: string): string | null => verdictSchema.parse(JSON.parse(text)).error;

test("without content, a webhook says that there was an error, and not its text", () => {
  const sent = webhookVerdict(verdict, false);
  expect(sent).not.toContain("quota");
  expect(errorIn(webhookVerdict(verdict, false))).toBe("the run ended in an error");
  expect(errorIn(webhookVerdict(fine, false))).toBeNull();
  expect(errorIn(webhookVerdict(verdict, true))).toBe(quota);
});

test("a verdict that an earlier version wrote is still read", () => {
  const { error: _, ...older } = verdictJson(fine);
  expect(verdictSchema.parse(older).error).toBeNull();
});
