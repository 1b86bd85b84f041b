import { describe, expect, test } from "vitest";
import { encodeVerdict } from "../../src/export/otlp/encode-verdict.ts";
import { createRequestEncoder } from "../../src/export/otlp/destination.ts";
import { rootEvents } from "../../src/export/records/root-events.ts";
import { evaluationResults } from "../../src/export/records/verdict-records.ts";
import type { AgentRun } from "../../src/model/run.ts";
import { replayedRuns } from "../long/runs/assemble.ts";
import { asJson, asProtobuf } from "../long/runs/records.ts";
import { document, span } from "../support/otlp.ts";
import { decodeSpans } from "../support/otlp-sink.ts";
import { verdictOf } from "../support/verdict-of.ts";

const traceId = "5b8efff798038103d269b633813fc60c";
const agentSpanId = "eee19b7ec3c1b174";

/** The run of an agent span, as a producer of the GenAI conventions sends it. */
function runOfSpan(encode: typeof asJson, flags: number, endTimeUnixNano = "1700000001500000000"): AgentRun {
  const agent = span("a", undefined, "invoke_agent planner", 0, 0, {
    "gen_ai.operation.name": "invoke_agent",
    "gen_ai.agent.name": "planner",
  });
  const spans = [{ ...agent, traceId, spanId: agentSpanId, flags, endTimeUnixNano }];
  const [run] = replayedRuns([encode({ signal: "traces", document: document(spans) })]);
  if (run === undefined) throw new Error("no run");
  return run;
}

test.each([
  ["sampled", 0x101, 1],
  ["sampled, and random", 0x303, 3],
  ["not sampled", 0x100, 0],
  ["without flags", 0, 1],
])("a record has the trace flags of the judged root: %s", (_, flags, expected) => {
  const verdict = verdictOf([], { run: runOfSpan(asProtobuf, flags) });
  const [first] = evaluationResults(verdict, false).results;
  expect(first?.span).toEqual({ traceId, spanId: agentSpanId, traceFlags: expected });
});

describe.each([
  ["protobuf", asProtobuf],
  ["JSON", asJson],
])("sent as %s", (_encoding, encode) => {
  test.each([
    ["at an odd nanosecond", "1700000001500000001", 1_700_000_001_500_000_001n],
    ["at the last nanosecond of a second", "1731628799999999999", 1_731_628_799_999_999_999n],
    ["before it started, which no span can", "1600000000000000001", 1_700_000_000_000_000_000n],
  ])("the verdict's span is at the end of a root that ended %s", (_, end, expected) => {
    const verdict = verdictOf([], { run: runOfSpan(encode, 0x101, end) });
    const shapes = {
      logs: false,
      spanWithEvents: true,
      spanWithoutEvents: false,
      span: "child",
      content: false,
    } as const;
    const { spanWithEvents } = encodeVerdict(verdict, shapes, 0);
    const [span] = decodeSpans(createRequestEncoder(new Map(), "1")(spanWithEvents));
    expect(span).toMatchObject({ startTimeUnixNano: expected, endTimeUnixNano: expected });
    expect(span?.events.every((event) => event.timeUnixNano === expected)).toBe(true);
    const events = JSON.parse(`[${rootEvents([verdict], false).json()}]`) as { timeUnixNano: string }[];
    expect(events.every((event) => event.timeUnixNano === String(expected))).toBe(true);
  });
});
