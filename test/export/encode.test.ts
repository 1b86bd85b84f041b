import fc from "fast-check";
import { expect, test } from "vitest";
import type { Attributes, AttributeValue } from "../../src/export/records/attribute.ts";
import { encodeAttributes } from "../../src/export/otlp/attribute-block.ts";
import { encodeVerdict } from "../../src/export/otlp/encode-verdict.ts";
import { encodeJudgeSpan, encodeLogRecord } from "../../src/export/otlp/encode.ts";
import { createRequestEncoder } from "../../src/export/otlp/destination.ts";
import { judgeSpan } from "../../src/export/records/judge-span.ts";
import { evaluationResults } from "../../src/export/records/verdict-records.ts";
import { verdictSpan } from "../../src/export/records/verdict-span.ts";
import { arbitraryVerdict } from "../support/arbitrary-verdict.ts";
import { decodeLogs, decodeSpans } from "../support/otlp-sink.ts";

const encodeRequest = createRequestEncoder(new Map([["service.name", "tracejury"]]), "1.2.3");

function together(...parts: readonly Attributes[]): Record<string, unknown> {
  return Object.fromEntries(parts.flatMap((part) => [...part]));
}

const shapes = { logs: true, spanWithEvents: true, spanWithoutEvents: false, span: "child" } as const;

test("whatever a verdict says arrives as it was said, by the published field numbers", () => {
  fc.assert(
    fc.property(arbitraryVerdict, fc.boolean(), (verdict, content) => {
      const said = evaluationResults(verdict, content);
      const encoded = encodeVerdict(verdict, { ...shapes, content }, 1_700_000_000_123);
      const logs = decodeLogs(encodeRequest(encoded.logs));
      expect(logs.map((log) => log.attributes)).toEqual(
        said.results.map((one) => together(said.common, one.attributes)),
      );
      expect(logs.map(({ traceId, spanId, flags }) => ({ traceId, spanId, traceFlags: flags }))).toEqual(
        said.results.map((one) => one.span),
      );
      const span = verdictSpan(verdict, said, "child");
      const [decoded, ...others] = decodeSpans(encodeRequest(encoded.spanWithEvents));
      expect(others).toEqual([]);
      expect(decoded?.attributes).toEqual(together(said.common, span.attributes));
      expect(decoded?.events.map((event) => event.attributes)).toEqual(logs.map((log) => log.attributes));
      expect(decoded?.startTimeUnixNano).toBe(verdict.run.rootEndUnixNano);
      expect(decoded?.endTimeUnixNano).toBe(verdict.run.rootEndUnixNano);
      const times = new Set(decoded?.events.map((event) => event.timeUnixNano));
      expect([...times]).toEqual([verdict.run.rootEndUnixNano]);
    }),
    { numRuns: 50 },
  );
});

test.each([
  ["a negative int", -5n],
  ["a large int", 2n ** 62n],
  ["the smallest int", -(2n ** 63n)],
  ["an int of two bytes", 300n],
  ["a long text", "ä€😀".repeat(5000)],
  ["a text of 127 bytes", "x".repeat(127)],
  ["a text of 128 bytes", "x".repeat(128)],
  ["infinity", Infinity],
])("%s keeps its value", (_, value) => {
  const attributes = encodeAttributes(new Map<string, AttributeValue>([["a".repeat(200), value]]));
  const none = encodeAttributes(new Map());
  const result = { span: { traceId: "", spanId: "", traceFlags: 0 }, outcome: "pass", attributes } as const;
  const [log] = decodeLogs(encodeRequest([encodeLogRecord(result, none, 1)]));
  expect(log?.attributes["a".repeat(200)]).toBe(value);
});

test.each([
  [1_700_000_000_123.456, 1_700_000_000_123_456_055n],
  [0, 0n],
  [-5, 0n],
  [Number.NaN, 0n],
  [Number.POSITIVE_INFINITY, 0n],
])("%d ms are %i ns", (ms, nanos) => {
  const none = encodeAttributes(new Map());
  const result = {
    span: { traceId: "", spanId: "", traceFlags: 0 },
    outcome: "pass",
    attributes: none,
  } as const;
  const [log] = decodeLogs(encodeRequest([encodeLogRecord(result, none, ms)]));
  expect(log?.timeUnixNano).toBe(nanos);
});

test("a request to a judge is a span of a trace of its own, linked to the judged root", () => {
  const call = {
    model: "openai/judge-1",
    provider: "openai",
    rubric: "safety@1",
    runId: "0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331",
    attempt: 2,
    startUnixMs: 1_750_000_000_000,
    endUnixMs: 1_750_000_000_900,
    errorType: null,
    usage: { input: 100, output: 20, cached: null },
    costUsd: null,
  };
  const [first, again, other] = [call, call, { ...call, attempt: 1 }].map(judgeSpan);
  const [decoded] = first === undefined ? [] : decodeSpans(encodeRequest([encodeJudgeSpan(first)]));

  expect(decoded).toMatchObject({ name: "tracejury.judge", traceId: first?.span.traceId });
  expect(decoded?.attributes).toMatchObject({
    "gen_ai.request.model": "judge-1",
    "tracejury.judge.attempt": 2n,
  });
  expect(first?.judged).toMatchObject({ traceId: call.runId.slice(0, 32), spanId: call.runId.slice(33) });
  expect(first?.span).toEqual(again?.span);
  expect(first?.span.traceId).toBe(other?.span.traceId);
  expect(first?.span.spanId).not.toBe(other?.span.spanId);
});
