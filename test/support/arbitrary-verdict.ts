import fc from "fast-check";
import type { JsonValue } from "../../src/model/json.ts";
import { layers, outcomes } from "../../src/model/outcome.ts";
import type { AgentRun, CloseReason, ModelCall } from "../../src/model/run.ts";
import type { CheckResult, JudgeRecord, Verdict } from "../../src/model/verdict.ts";
import { judgedRun, judgeRecordOf, verdictOf } from "./verdict-of.ts";

const spanId = fc.constantFrom("b7ad6b7169203331", "b7ad6b7169203332", "eee19b7ec3c1b174");
const text = fc.string({ unit: "grapheme", maxLength: 20 });
const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: null, freq: 2 });
const json = fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<JsonValue>;

const judge: fc.Arbitrary<JudgeRecord> = fc
  .record({ model: text, score: maybe(fc.double({ noNaN: true })), rationale: maybe(text), promptHash: text })
  .map(judgeRecordOf);

const check: fc.Arbitrary<CheckResult> = fc.record({
  check: fc.constantFrom("max_tool_calls", "regex_match", "llm_judge", "max_cost_usd"),
  metric: fc.constantFrom("tool_calls", "regex_match", "llm_judge", "cost_usd"),
  layer: fc.constantFrom(...layers),
  outcome: fc.constantFrom(...outcomes),
  value: fc.oneof(fc.double(), fc.boolean(), text, fc.constant(null), json),
  limit: fc.oneof(fc.double({ noNaN: true }), fc.boolean(), text, fc.constant(null), json),
  message: text,
  remedy: maybe(text),
  missing: fc.array(text, { maxLength: 2 }),
  spanIds: fc.array(spanId, { maxLength: 2 }),
  source: fc.constant(null),
  judge: maybe(judge),
});

const runAttributes = fc.uniqueArray(
  fc.tuple(
    fc.constantFrom(
      "service.version",
      "deployment.environment.name",
      "gen_ai.agent.id",
      "gen_ai.agent.version",
      "gen_ai.prompt.name",
      "gen_ai.prompt.version",
      "vcs.ref.head.revision",
      "vcs.change.id",
      "tracejury.changes.total",
      "tracejury.query.id",
      "error.type",
    ),
    json,
  ),
  { selector: ([name]) => name, maxLength: 8 },
);

const completion = (responseId: string | null): ModelCall => ({
  spanId: "b7ad6b7169203331",
  traceId: judgedRun().traceId,
  agent: null,
  model: null,
  responseModel: null,
  finishReason: null,
  responseId,
  usage: { input: null, output: null, cached: null, cacheWrite: null, reasoning: null },
  costUsd: null,
  startUnixMs: null,
  durationMs: null,
  error: null,
});

const run: fc.Arbitrary<AgentRun> = fc
  .record({
    agent: maybe(text),
    conversationId: maybe(text),
    priceSource: maybe(text),
    complete: fc.boolean(),
    closeReason: fc.constantFrom<CloseReason>("root_complete", "idle", "shutdown"),
    attributes: runAttributes.map((pairs) => new Map(pairs)),
    llm: maybe(text).map((id) => [completion(id)]),
    rootEndUnixNano: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
    costUsd: maybe(fc.double({ min: 0, max: 10, noNaN: true })),
  })
  .map(judgedRun);

/** Any verdict that an evaluation can give, and some that it cannot. */
export const arbitraryVerdict: fc.Arbitrary<Verdict> = fc
  .record({
    checks: fc.array(check, { maxLength: 5 }),
    given: fc.record({
      verdictId: text,
      spec: text,
      queryId: text,
      revision: fc.integer({ min: 1, max: 9 }),
      run,
    }),
  })
  .map(({ checks, given }) => verdictOf(checks, given));
