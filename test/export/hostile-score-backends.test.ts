import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type ScoredVerdict, scoredVerdict } from "../../src/export/scores/score.ts";
import { scoreBackends } from "../../src/export/scores/scores.ts";
import { judgedRun, verdictOf } from "../support/verdict-of.ts";

const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
const spanId = "00f067aa0ba902b7";
const run = judgedRun({ traceId, rootSpanId: spanId, service: "shop" });
const verdict = (verdictId: string): ScoredVerdict =>
  scoredVerdict(
    verdictOf([], { verdictId, revision: 2, run }),
    { names: ["tracejury.*"], on: "run", link: null, content: false },
    1,
  );

/** Names that the backends look at, around values that none of them documents. */
const names = fc.constantFrom(
  "data",
  "errors",
  "trace",
  "trace_info",
  "assessments",
  "metadata",
  "tracejury",
  "id",
  "span_id",
  "identifier",
  "root_span_id",
  "status",
  "message",
  "comment",
  "session_id",
  "assessment_id",
  "verdict",
  "__proto__",
  "tracejury.revision",
  "tracejury.score.id",
  "tracejury.verdict.id",
);
const { value } = fc.letrec((tie) => ({
  leaf: fc.constantFrom(null, true, 0, -1, 1e308, "", "a-score", "b-score", spanId, traceId, "\nrevision 9"),
  value: fc.oneof(
    { maxDepth: 6, withCrossShrink: true },
    tie("leaf"),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(names, tie("value"), { maxKeys: 4 }),
  ),
}));
const answer = fc.oneof(
  { weight: 8, arbitrary: value.map((one) => JSON.stringify(one)) },
  { weight: 1, arbitrary: fc.constantFrom("", "<html>", "{", "[".repeat(100_000), '{"data":'.repeat(5_000)) },
);

describe.each(Object.entries(scoreBackends))("%s", (_, backend) => {
  test("gives each verdict a result, whatever the server answers", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(answer, { minLength: 1, maxLength: 6 }), async (answers) => {
        let asked = 0;
        const verdicts = [verdict("a"), verdict("b")];
        const results = await backend.post(
          verdicts,
          () =>
            Promise.resolve({
              status: "success",
              data: Buffer.from(answers[asked++ % answers.length] ?? ""),
            }),
          "project",
        );
        expect(results).toHaveLength(verdicts.length);
        for (const { outcome } of results) expect(["taken", "absent", "refused", "retry"]).toContain(outcome);
        expect(asked).toBeLessThan(20);
      }),
      { numRuns: 100 },
    );
  });
});
