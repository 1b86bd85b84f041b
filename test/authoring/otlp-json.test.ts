import { describe, expect, test } from "vitest";
import { traceBytes } from "../../src/assemble/batches/trace-bytes.ts";
import type { Trace } from "../../src/assemble/trace.ts";
import { otlpJsonOf } from "../../src/authoring/otlp-json.ts";
import { tracesOf } from "../support/runs.ts";

const attributes: readonly (readonly [name: string, value: object])[] = [
  ["an integer", { intValue: "9007199254740991" }],
  ["an integer above 2^53", { intValue: "9223372036854775807" }],
  ["a fraction", { doubleValue: 0.1 }],
  ["a double without a fraction", { doubleValue: 1e18 }],
  ["a double above 2^63", { doubleValue: 1e20 }],
  ["a double that is written with an exponent", { doubleValue: -1e21 }],
  ["infinity", { doubleValue: "Infinity" }],
  ["negative infinity", { doubleValue: "-Infinity" }],
  ["a list", { arrayValue: { values: [{ doubleValue: 1e300 }, { stringValue: "b" }, { boolValue: true }] } }],
  [
    "an object",
    {
      kvlistValue: {
        values: [
          { key: "n", value: { doubleValue: 1e300 } },
          { key: "empty", value: {} },
        ],
      },
    },
  ],
];

/** A request with two traces of one span each; their resource and the spans have the attribute. */
function requestWith(value: object): object {
  const given = [{ key: "x", value }];
  const spans = ["0af7651916cd43dd8448eb211c80319c", "1bf7651916cd43dd8448eb211c80319c"].map((traceId) => ({
    traceId,
    spanId: "b7ad6b7169203331",
    name: "invoke_agent shop",
    startTimeUnixNano: "1700000000000000000",
    endTimeUnixNano: "1700000001000000000",
    attributes: given,
  }));
  return { resourceSpans: [{ resource: { attributes: given }, scopeSpans: [{ spans }] }] };
}

const tracesIn = (requests: readonly Uint8Array[]): readonly Trace[] =>
  tracesOf(requests.map((request) => JSON.parse(Buffer.from(request).toString()) as object));

function valuesOf(traces: readonly Trace[]): readonly unknown[] {
  return traces.flatMap(({ spans }) => spans.flatMap((span) => [span.resource.named("x"), span.named("x")]));
}

describe.each(attributes)("%s is the same value", (_, value) => {
  const sent = tracesIn([Buffer.from(JSON.stringify(requestWith(value)))]);

  test("in a trace that is written as a dump", () => {
    const written = sent.flatMap(otlpJsonOf).map((request) => Buffer.from(JSON.stringify(request)));
    expect(valuesOf(tracesIn(written))).toEqual(valuesOf(sent));
    expect(valuesOf(sent)).toHaveLength(4);
  });

  test("in a request that is divided by traces", () => {
    const divided = sent.flatMap((trace) => [...traceBytes(trace)]).map(({ bytes }) => bytes);
    expect(divided).toHaveLength(2);
    expect(valuesOf(tracesIn(divided))).toEqual(valuesOf(sent));
  });
});
