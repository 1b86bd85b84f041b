import fc from "fast-check";
import { expect, test } from "vitest";
import type { Attributes, AttributeValue } from "../../src/export/records/attribute.ts";
import { encodeAttributes } from "../../src/export/otlp/attribute-block.ts";
import { encodeVerdict } from "../../src/export/otlp/encode-verdict.ts";
import { encodeLogRecord } from "../../src/export/otlp/encode.ts";
import { createRequestEncoder } from "../../src/export/otlp/destination.ts";
import { evaluationResults } from "../../src/export/records/verdict-records.ts";
import { verdictSpan } from "../../src/export/records/verdict-span.ts";
import { arbitraryVerdict } from "../support/arbitrary-verdict.ts";
import { decodeLogs, decodeSpans, type SinkLog } from "../support/otlp-sink.ts";

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

/** A log record with these attributes as it arrives. */
function logOf(pairs: readonly (readonly [string, AttributeValue])[], unixMs: number): SinkLog | undefined {
  const attributes = encodeAttributes(new Map(pairs));
  const result = { span: { traceId: "", spanId: "", traceFlags: 0 }, outcome: "pass", attributes } as const;
  return decodeLogs(encodeRequest([encodeLogRecord(result, encodeAttributes(new Map()), unixMs)]))[0];
}

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
  const log = logOf([["a".repeat(200), value]], 1);
  expect(log?.attributes["a".repeat(200)]).toBe(value);
});

test.each([
  [1_700_000_000_123.456, 1_700_000_000_123_456_055n],
  [0, 0n],
  [-5, 0n],
  [Number.NaN, 0n],
  [Number.POSITIVE_INFINITY, 0n],
])("%d ms are %i ns", (ms, nanos) => {
  expect(logOf([], ms)?.timeUnixNano).toBe(nanos);
});
