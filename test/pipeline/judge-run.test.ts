import { expect, test } from "vitest";
import { createJudgeRun } from "../../src/pipeline/judge-run.ts";
import { sampleSpec } from "../match/sample-spec.ts";
import { runOf } from "../support/run-of.ts";

const rag = sampleSpec([{ text: "How do I install it?" }], "rag-agent");
const support = sampleSpec([{ text: "*" }], "support-router");
const judge = createJudgeRun({ specs: [support, rag], judgeSkipPolicy: { judge: "off" }, engine: "0.0.0" });

test("a run that one spec claims is not unmatched because others are about other agents", () => {
  const judged = judge(runOf({ agent: "rag-agent", query: "How do I install it?" }));
  expect([judged.verdicts.length, judged.unmatched]).toEqual([1, []]);
});

test("a run of an agent that no spec is about is told once, with the agents of the specs", () => {
  const run = runOf({ agent: "dev-agent", service: "dev", query: "Tell me a joke" });
  const reasonsOf = (judged: typeof judge): readonly string[] =>
    judged(run).unmatched.map(({ reason }) => reason);
  expect(reasonsOf(judge)).toEqual([
    'a run of "dev-agent", but the specs are for the agents "support-router", "rag-agent"',
  ]);
  const specs = Array.from({ length: 7 }, (_, at) => sampleSpec([{ text: "*" }], `agent-${at}`));
  const [reason] = reasonsOf(createJudgeRun({ specs, judgeSkipPolicy: { judge: "off" }, engine: "0.0.0" }));
  expect(reason).toMatch(/the specs are for the agents "agent-0", .*"agent-4" and 2 more$/);
});

test("a run that late spans changed does not take over the verdict of the conversation that it begins", () => {
  const spec = sampleSpec([{ text: "Hello" }, { text: "Where?" }, { text: "When?" }]);
  const queries = spec.queries.map((query, at) =>
    at === 0 ? { ...query, scope: "conversation" as const } : query,
  );
  const one = createJudgeRun({
    specs: [{ ...spec, queries }],
    judgeSkipPolicy: { judge: "off" },
    engine: "0.0.0",
  });
  const idsOf = (run: ReturnType<typeof runOf>): readonly string[] =>
    one(run).verdicts.map(({ verdictId, revision }) => `${verdictId} ${revision}`);
  const first = runOf({ query: "Where?" });
  const [earlier] = idsOf(first);
  const [ofConversation] = idsOf(runOf({ query: "Hello", turns: [first] }));
  const [later] = idsOf({ ...runOf({ query: "When?" }), replaces: [first.runId] });
  expect(ofConversation).toMatch(/ 1$/);
  expect(later).toBe(earlier?.replace(/ 1$/, " 2"));
});
