import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { SpanColumn } from "../../src/otlp/rows/columns.ts";
import { spanAt } from "../../src/otlp/rows/batch.ts";
import { cutProtobuf } from "../../src/otlp/protobuf/cut-protobuf.ts";
import { readTracesJson } from "../../src/otlp/json/read-json.ts";
import { readTraces } from "../../src/otlp/protobuf/read-protobuf.ts";
import { selectJson } from "../../src/otlp/json/select-json.ts";
import { agentTrace, requestAsJson, requestAsProtobuf } from "../chaos/agent-trace.ts";
import { decodeSpans } from "../support/otlp-sink.ts";

const { root, tools } = agentTrace(3, 1, 6);
const spans = [root, ...tools];

function batchOf(result: ReturnType<typeof readTraces>) {
  if (!result.ok) throw new Error(result.message);
  const { batch } = result;
  const starts = Array.from(
    { length: batch.spanCount },
    (_, row) => batch.rows[spanAt(row) + SpanColumn.bytes] ?? -1,
  );
  return { batch, starts };
}

describe("a request with some of its spans", () => {
  const choice = fc.array(fc.boolean(), { minLength: spans.length, maxLength: spans.length });

  test("as protobuf: those and no others, byte for byte", () => {
    const body = requestAsProtobuf(spans);
    const whole = decodeSpans(body);
    fc.assert(
      fc.property(choice, (wanted) => {
        const { batch, starts } = batchOf(readTraces(body));
        const chosen = new Set(starts.filter((_, index) => wanted[index]));
        expect(decodeSpans(cutProtobuf(batch, chosen))).toEqual(whole.filter((_, index) => wanted[index]));
      }),
    );
    const { batch, starts } = batchOf(readTraces(body));
    expect(Buffer.from(cutProtobuf(batch, new Set(starts)))).toEqual(Buffer.from(body));
  });

  test("as JSON: those and no others", () => {
    const body = requestAsJson(spans);
    const { resourceSpans } = JSON.parse(Buffer.from(body).toString());
    fc.assert(
      fc.property(choice, (wanted) => {
        const { batch, starts } = batchOf(readTracesJson(body, true));
        const chosen = new Set(starts.filter((_, index) => wanted[index]));
        const cut = JSON.parse(Buffer.from(selectJson(batch, chosen)).toString());
        const left = resourceSpans[0].scopeSpans[0].spans.filter(
          (_: unknown, index: number) => wanted[index],
        );
        const expected = { resource: resourceSpans[0].resource, scopeSpans: [{ spans: left }] };
        expect(cut).toEqual(left.length === 0 ? {} : { resourceSpans: [expected] });
      }),
    );
  });
});

test("what JSON says beside the spans stays as it was written", () => {
  const ids = `"traceId":"0af7651916cd43dd8448eb211c80319c"`;
  const text = `{ "later" : [1, 2.50] , "resourceSpans":[{"resource":{"attributes":[]},"schemaUrl":"a",
    "scopeSpans":[{"scope":{"name":"s"},"spans":[{${ids},"spanId":"b7ad6b7169203331","new":1e2},
      {${ids},"spanId":"b7ad6b7169203332"}]}]},{"scopeSpans":[{"spans":[{${ids},"spanId":"b7ad6b7169203333"}]}]}]}`;
  const { batch, starts } = batchOf(readTracesJson(Buffer.from(text), true));
  const cut = Buffer.from(selectJson(batch, new Set(starts.slice(0, 1)))).toString();

  expect(cut).toBe(
    `{"later" : [1, 2.50],"resourceSpans":[{"resource":{"attributes":[]},"schemaUrl":"a","scopeSpans":[{"scope":{"name":"s"},` +
      `"spans":[{${ids},"spanId":"b7ad6b7169203331","new":1e2}]}]}]}`,
  );
});

test.each([
  [`{"traceId":"0af7651916cd43dd8448eb211c80319c","spanId":"b7ad6b7169203331"}`, ["new"]],
  [`{"traceId":"0af7651916cd43dd8448eb211c80319c","spanId":"b7ad6b7169203331","events":[]}`, ["new"]],
  [
    `{"events":[{"name":"old"}],"traceId":"0af7651916cd43dd8448eb211c80319c","spanId":"b7ad6b7169203331"}`,
    ["old", "new"],
  ],
])("events are put behind those of a JSON span: %s", (span, names) => {
  const text = `{"resourceSpans":[{"scopeSpans":[{"spans":[${span}]}]}]}`;
  const { batch, starts } = batchOf(readTracesJson(Buffer.from(text), true));
  const cut = selectJson(batch, new Set(starts), new Map([[starts[0] ?? -1, `{"name":"new"}`]]));
  const [written] = JSON.parse(Buffer.from(cut).toString()).resourceSpans[0].scopeSpans[0].spans;

  expect(written.events.map(({ name }: { name: string }) => name)).toEqual(names);
  expect(written.spanId).toBe("b7ad6b7169203331");
});
