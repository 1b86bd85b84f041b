import { z } from "zod";
import type { DiskFormat } from "../queue/disk-queue.ts";
import type { Coding } from "../../receive/body/content-coding.ts";
import type { Encoding, Signal } from "../../otlp/signal.ts";

/** A request to be sent on: the very bytes that came in, and what a backend has to know about them. */
export interface Outgoing {
  readonly signal: Signal;
  readonly encoding: Encoding;
  readonly coding: Coding | null;
  /** Headers of the sender that go with it, by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

const metaSchema = z.strictObject({
  signal: z.enum(["traces", "logs", "metrics"]),
  encoding: z.enum(["protobuf", "json"]),
  coding: z.enum(["gzip", "deflate", "zstd"]).nullable(),
  headers: z.record(z.string(), z.string()),
});

/** Requests on the disk: the bytes, and beside them all else as JSON. */
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
