import { gzipSync } from "node:zlib";
import { requestOf } from "./agent-spans.ts";
import { type Span, text } from "./otlp-json.ts";
import { encode } from "./protobuf.ts";

/** Spans with so many attributes each, under names that no two of them share and that each look as if they held a text. */
export const hostileShapes = {
  keys: { spans: 1, keys: 700_000 },
  wide: { spans: 4_000, keys: 100 },
  many: { spans: 20_000, keys: 10 },
} as const;
export type HostileShape = keyof typeof hostileShapes;

/** One trace in one request, as gzip. */
export function hostileBody(shape: HostileShape, trace: number): Uint8Array {
  const { spans, keys } = hostileShapes[shape];
  const traceId = `d${trace.toString(16).padStart(31, "0")}`;
  const idOf = (at: number): string => `d${at.toString(16).padStart(15, "0")}`;
  const all = Array.from({ length: spans }, (_, at): Span => {
    const names = Array.from({ length: keys }, (_unused, key) => `a${(at * keys + key).toString(36)}.output`);
    return {
      traceId,
      spanId: idOf(at),
      parentSpanId: at === 0 ? "" : idOf(0),
      flags: 257,
      name: "invoke_agent helper",
      kind: 1,
      startTimeUnixNano: "1763700000000000000",
      endTimeUnixNano: "1763700001000000000",
      attributes: [
        text("gen_ai.operation.name", at === 0 ? "invoke_agent" : "chat"),
        ...names.map((name) => text(name, "x")),
      ],
      status: {},
    };
  });
  return gzipSync(encode(requestOf(all)));
}
