import fc from "fast-check";
import { expect, test } from "vitest";
import type { Attributes } from "../../src/export/attribute.ts";
import { encodeAttributes, encodeLogRecord, encodeSpan } from "../../src/export/otlp/encode.ts";
import { createRequestEncoder } from "../../src/export/otlp/request.ts";
import { evaluationResults } from "../../src/export/verdict-records.ts";
import { verdictSpan } from "../../src/export/verdict-span.ts";
import { arbitraryVerdict } from "../support/arbitrary-verdict.ts";
import { decodeLogs, decodeSpans } from "../support/otlp-sink.ts";

const encodeRequest = createRequestEncoder(new Map([["service.name", "tracejury"]]), "1.2.3");

function together(...parts: readonly Attributes[]): Record<string, unknown> {
  return Object.fromEntries(parts.flatMap((part) => [...part]));
}

test("whatever a verdict says arrives as it was said, by the published field numbers", () => {
  fc.assert(
    fc.property(arbitraryVerdict, fc.boolean(), (verdict, content) => {
      const said = evaluationResults(verdict, content);
      const common = encodeAttributes(said.common);
      const logs = decodeLogs(
        encodeRequest(said.results.map((one) => encodeLogRecord(one, common, 1_700_000_000_123))),
      );
      expect(logs.map((log) => log.attributes)).toEqual(
        said.results.map((one) => together(said.common, one.attributes)),
      );
      expect(logs.map(({ traceId, spanId, flags }) => ({ traceId, spanId, traceFlags: flags }))).toEqual(
        said.results.map((one) => one.span),
      );
      const span = verdictSpan(verdict, said, "child");
      const [decoded, ...others] = decodeSpans(encodeRequest([encodeSpan(span, common, said.results)]));
      expect(others).toEqual([]);
      expect(decoded?.attributes).toEqual(together(said.common, span.attributes));
      expect(decoded?.events.map((event) => event.attributes)).toEqual(logs.map((log) => log.attributes));
      expect(Number(decoded?.endTimeUnixNano) / 1e6).toBeCloseTo(verdict.run.rootEndUnixMs, 2);
    }),
    { numRuns: 50 },
  );
});

test.each([
  [1_700_000_000_123.456, 1_700_000_000_123_456_055n],
  [0, 0n],
  [-5, 0n],
  [Number.NaN, 0n],
  [Number.POSITIVE_INFINITY, 0n],
])("%d ms are %i ns", (ms, nanos) => {
  const result = {
    span: { traceId: "", spanId: "", traceFlags: 0 },
    outcome: "pass",
    attributes: new Map(),
  } as const;
  const [log] = decodeLogs(encodeRequest([encodeLogRecord(result, [], ms)]));
  expect(log?.timeUnixNano).toBe(nanos);
});
