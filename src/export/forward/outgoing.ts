import { z } from "zod";
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

/** All but the body, as it is written down beside the body. */
export function encodeMeta({ signal, encoding, coding, headers }: Outgoing): Uint8Array {
  return Buffer.from(JSON.stringify({ signal, encoding, coding, headers }));
}

/** Null for what no version of ours wrote. */
export function decodeMeta(bytes: Uint8Array): Omit<Outgoing, "body"> | null {
  try {
    return metaSchema.parse(JSON.parse(Buffer.from(bytes).toString()));
  } catch {
    return null;
  }
}
