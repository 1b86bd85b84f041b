import { Wire } from "../../../otlp/protobuf/protobuf-wire.ts";

const DETAILS_TAG = 26;
const TYPE_URL_TAG = 10;
const VALUE_TAG = 18;
const RETRY_INFO = "type.googleapis.com/google.rpc.RetryInfo";

/**
 * Returns the delay of the `RetryInfo` in a `google.rpc.Status`, in milliseconds; null if the status has no `RetryInfo` or cannot be
 * decoded.
 */
export function retryDelayMs(status: Uint8Array): number | null {
  try {
    for (const [tag, detail] of fieldsOf(status)) {
      if (tag !== DETAILS_TAG) continue;
      const any = new Map(fieldsOf(detail));
      if (Buffer.from(any.get(TYPE_URL_TAG) ?? []).toString() !== RETRY_INFO) continue;
      const delay = new Map(fieldsOf(any.get(VALUE_TAG) ?? new Uint8Array(0))).get(10);
      return delay === undefined ? 0 : durationMs(delay);
    }
  } catch {
    // A status that cannot be decoded requests no delay.
  }
  return null;
}

/** Decodes a protobuf duration (seconds in field 1, nanoseconds in field 2). Returns milliseconds. */
function durationMs(duration: Uint8Array): number {
  const wire = wireOver(duration);
  let milliseconds = 0;
  for (let p = 0; p < duration.length; p = wire.at) {
    wire.varint(p);
    const tag = wire.low;
    wire.varint(wire.at);
    const value = wire.high * 2 ** 32 + (wire.low >>> 0);
    if (tag === 8) milliseconds += value * 1000;
    else if (tag === 16) milliseconds += value / 1e6;
  }
  return milliseconds;
}

/** Returns the length-delimited fields of a message. */
function fieldsOf(message: Uint8Array): [tag: number, content: Uint8Array][] {
  const wire = wireOver(message);
  const found: [number, Uint8Array][] = [];
  for (let p = 0; p < message.length;) {
    wire.varint(p);
    const tag = wire.low;
    const content = wire.at;
    const next = wire.skip(message[p] ?? 0, p + 1, message.length, 0);
    if ((tag & 7) === 2) {
      wire.varint(content);
      found.push([tag, message.subarray(wire.at, next)]);
    }
    p = next;
  }
  return found;
}

function wireOver(bytes: Uint8Array): Wire {
  const wire = new Wire();
  wire.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return wire;
}
