import { expect, test } from "vitest";
import { redactedJudges } from "../../src/replay/judging/redaction.ts";
import type { JudgeRequest } from "../../src/evaluate/judge/ask/port.ts";
import { Redactor } from "../../src/support/redact/redactor.ts";
import { canaries } from "./canaries.ts";
import { redact, reportedOutputs, servedOutputs } from "./outputs.ts";
import { beyond, inContext, secretSample } from "./secret-sample.ts";

const all = canaries();
const sample = secretSample().map((vector, i) => inContext(vector, i));

/** All texts in one run, served once and reported once. */
const texts = [...all, ...sample.map((one) => one.text)];
const served = servedOutputs(texts, { wanted: all[3] ?? "", forbidden: all[60] ?? "" });
const reported = served.then(() => reportedOutputs(texts));

test("no planted secret reaches the store, the API, an exported verdict or the log", async () => {
  const { everywhere, verdicts, files, sent } = await served;
  expect(verdicts).toBe(1);
  expect(files).toBeGreaterThan(3);
  expect(sent.map((length) => length > 200)).toEqual([true, true, true, true]);
  for (const words of ["[customer]", "[key]", "[email]", "[card]"]) expect(everywhere).toContain(words);
  expect(everywhere).not.toContain("hunter22");
  expect(all.filter((canary) => everywhere.includes(canary))).toEqual([]);
});

test("secrets in the forms of public rule sets reach no output, even if encoded", async () => {
  const { everywhere } = await served;
  const reports = await reported;
  const found = sample.filter(({ secret }) => everywhere.includes(secret) || reports.includes(secret));
  expect(beyond(found, sample.length / 100)).toEqual([]);
});

test("no planted secret is in a report of recorded runs", async () => {
  const reports = await reported;
  expect(reports).toContain("expected_in_answer");
  expect(all.filter((canary) => reports.includes(canary))).toEqual([]);
});

test("judges get no planted secret", async () => {
  const seen: JudgeRequest[] = [];
  const port = redactedJudges(
    {
      ask: (request) => {
        seen.push(request);
        return Promise.resolve({
          ok: true,
          json: {},
          usage: { input: 1, output: 1, cached: null },
          durationMs: 1,
          cached: false,
          cutOff: false,
        });
      },
      unavailable: () => null,
    },
    new Redactor(redact),
  );
  await port.ask({ user: all.join("\n"), system: all.join(" "), model: "m" } as JudgeRequest);
  const shown = `${seen[0]?.user}${seen[0]?.system}`;
  expect(shown).toContain("[customer]");
  expect(all.filter((canary) => shown.includes(canary))).toEqual([]);
});
