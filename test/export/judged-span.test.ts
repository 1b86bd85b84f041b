import { describe, expect, test } from "vitest";
import { unlimitedTraceTimeouts } from "../../src/assemble/timeouts/trace-timeouts.ts";
import { createEngine } from "../../src/replay/engine.ts";
import { encodeVerdict } from "../../src/export/otlp/encode-verdict.ts";
import { createRequestEncoder } from "../../src/export/otlp/destination.ts";
import { rootEvents } from "../../src/export/records/root-events.ts";
import { evaluationResults } from "../../src/export/records/verdict-records.ts";
import type { AgentRun } from "../../src/model/run.ts";
import { decodeRequest } from "../../src/receive/body/decode-request.ts";
import { document, span } from "../support/otlp.ts";
import { decodeSpans } from "../support/otlp-sink.ts";
import { asJson, asProtobuf, type LooseSpan, spansOfLines } from "../support/reencode.ts";
import { verdictOf } from "../support/verdict-of.ts";

const traceId = "5b8efff798038103d269b633813fc60c";
const agentSpanId = "eee19b7ec3c1b174";

/** The agent span of a run, as a producer of the GenAI conventions sends it. */
function agentRun(flags: number, endTimeUnixNano = "1700000001500000000"): LooseSpan[] {
  const agent = span("a", undefined, "invoke_agent planner", 0, 0, {
    "gen_ai.operation.name": "invoke_agent",
    "gen_ai.agent.name": "planner",
  });
  const spans = [{ ...agent, traceId, spanId: agentSpanId, flags, endTimeUnixNano }];
  return spansOfLines(JSON.stringify(document(spans)));
}

function runOfSpans(spans: readonly LooseSpan[], encoding: "protobuf" | "json" = "protobuf"): AgentRun {
  const runs: AgentRun[] = [];
  const { pipeline } = createEngine({
    timeouts: unlimitedTraceTimeouts,
    quietMs: Infinity,
    attributes: [],
    prices: {},
    seed: 0,
    onRun: (run) => runs.push(run),
  });
  const body = encoding === "json" ? asJson(spans) : asProtobuf(spans);
  const decoded = decodeRequest(body, "traces", encoding);
  if (!decoded.ok || decoded.batch === null) throw new Error("no batch");
  pipeline.accept(decoded.batch, 0);
  pipeline.drain("eof", 0);
  const [run, ...others] = runs;
  if (run === undefined || others.length > 0) throw new Error(`${runs.length} runs`);
  return run;
}

test.each([
  ["sampled", 0x101, 1],
  ["sampled, and random", 0x303, 3],
  ["not sampled", 0x100, 0],
  ["without flags", 0, 1],
])("a record has the trace flags of the judged root: %s", (_, flags, expected) => {
  const verdict = verdictOf([], { run: runOfSpans(agentRun(flags)) });
  const [first] = evaluationResults(verdict, false).results;
  expect(first?.span).toEqual({ traceId, spanId: agentSpanId, traceFlags: expected });
});

describe.each(["protobuf", "json"] as const)("sent as %s", (encoding) => {
  test.each([
    ["at an odd nanosecond", "1700000001500000001", 1_700_000_001_500_000_001n],
    ["at the last nanosecond of a second", "1731628799999999999", 1_731_628_799_999_999_999n],
    ["before it started, which no span can", "1600000000000000001", 1_700_000_000_000_000_000n],
  ])("the verdict's span is at the end of a root that ended %s", (_, end, expected) => {
    const verdict = verdictOf([], { run: runOfSpans(agentRun(0x101, end), encoding) });
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
