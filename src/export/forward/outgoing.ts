import { z } from "zod";
import type { DiskFormat } from "../queue/disk-queue.ts";
import type { Coding } from "../../receive/body/content-coding.ts";
import type { Encoding, Signal } from "../../otlp/signal.ts";

/** A request to forward: the original bytes, and the headers and formats that a backend needs to read them. */
export interface Outgoing {
  readonly signal: Signal;
  readonly encoding: Encoding;
  readonly coding: Coding | null;
  /** Headers of the sender to forward, by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

const metaSchema = z.strictObject({
  signal: z.enum(["traces", "logs", "metrics"]),
  encoding: z.enum(["protobuf", "json"]),
  coding: z.enum(["gzip", "deflate", "zstd"]).nullable(),
  headers: z.record(z.string(), z.string()),
});

/** Disk format of a request: its body as bytes, the other fields as JSON. */
export const outgoingFormat: DiskFormat<Outgoing> = {
  encode: ({ signal, encoding, coding, headers, body }) => ({
    meta: Buffer.from(JSON.stringify({ signal, encoding, coding, headers })),
    body,
  }),
  decode: (meta, body) => {
    try {
      return { ...metaSchema.parse(JSON.parse(Buffer.from(meta).toString())), body };
    } catch {
      return null;
    }
  },
  countIn: () => 1,
};
