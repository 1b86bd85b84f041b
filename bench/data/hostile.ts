import { gzipSync } from "node:zlib";
import { encode } from "./protobuf.ts";
import { requestOf, spanOf } from "./span.ts";

/** Spans with many attributes. All attribute names differ, and each looks like the name of a text attribute. */
export const hostileShapes = {
  keys: { spans: 1, keys: 700_000 },
  wide: { spans: 4_000, keys: 100 },
  many: { spans: 20_000, keys: 10 },
} as const;
export type HostileShape = keyof typeof hostileShapes;

/** A request with one trace, compressed with gzip. */
export function hostileBody(
  shape: HostileShape,
  trace: number,
  encoding: "protobuf" | "json" = "protobuf",
): Uint8Array {
  const { spans, keys } = hostileShapes[shape];
  const idOf = (at: number): string => `d${at.toString(16).padStart(15, "0")}`;
  const all = Array.from({ length: spans }, (_, at) => {
    const names = Array.from({ length: keys }, (_unused, key) => `a${(at * keys + key).toString(36)}.output`);
    return spanOf({
      traceId: `d${trace.toString(16).padStart(31, "0")}`,
      spanId: idOf(at),
      parentSpanId: at === 0 ? "" : idOf(0),
      name: "invoke_agent helper",
      startNano: 1_763_700_000_000_000_000n,
      endNano: 1_763_700_001_000_000_000n,
      attributes: {
        "gen_ai.operation.name": at === 0 ? "invoke_agent" : "chat",
        ...Object.fromEntries(names.map((name) => [name, "x"])),
      },
    });
  });
  const request = requestOf(all);
  return gzipSync(encoding === "json" ? JSON.stringify(request) : encode(request), { level: 1 });
}
