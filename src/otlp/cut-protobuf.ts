import type { Batch } from "./batch.ts";
import { Wire } from "./protobuf-wire.ts";

const CONTAINERS: ReadonlySet<number> = new Set([10]);
/** Field 2, and its deprecated forerunner. */
const SCOPES: ReadonlySet<number> = new Set([18, (1000 << 3) | 2]);
const RECORDS: ReadonlySet<number> = new Set([18]);
const LEVELS = [CONTAINERS, SCOPES, RECORDS];

/**
 * A request with only those records whose bytes begin at one of `starts`: their resources and scopes around them, every byte as it was
 * sent, unknown fields included. A request is walked, not decoded.
 */
export function cutProtobuf({ body, view }: Batch, starts: ReadonlySet<number>): Uint8Array {
  const wire = new Wire();
  wire.view = view;
  const pieces = select(wire, body, 0, body.length, 0, starts) ?? [];
  return concat(pieces);
}

/** The pieces of the message at [start, end) with only selected records in it; undefined when there is none. */
function select(
  wire: Wire,
  body: Uint8Array,
  start: number,
  end: number,
  level: number,
  starts: ReadonlySet<number>,
): Uint8Array[] | undefined {
  const pieces: Uint8Array[] = [];
  let any = false;
  let p = start;
  while (p < end) {
    wire.varint(p);
    const tag = wire.low;
    const afterTag = wire.at;
    const next = wire.skip(view(body, p), p + 1, end, 0);
    if (LEVELS[level]?.has(tag) !== true) {
      pieces.push(body.subarray(p, next));
    } else {
      wire.varint(afterTag);
      const content = wire.at;
      const inner =
        level === 2
          ? starts.has(content) && [body.subarray(content, next)]
          : select(wire, body, content, next, level + 1, starts);
      if (inner !== undefined && inner !== false) {
        any = true;
        pieces.push(body.subarray(p, afterTag), varint(lengthOf(inner)), ...inner);
      }
    }
    p = next;
  }
  return any ? pieces : undefined;
}

function view(body: Uint8Array, at: number): number {
  return body[at] ?? 0;
}

function lengthOf(pieces: readonly Uint8Array[]): number {
  let length = 0;
  for (const piece of pieces) length += piece.length;
  return length;
}

function concat(pieces: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(lengthOf(pieces));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

function varint(value: number): Uint8Array {
  const bytes: number[] = [];
  let rest = value;
  while (rest > 127) {
    bytes.push((rest & 127) | 128);
    rest >>>= 7;
  }
  bytes.push(rest);
  return Uint8Array.from(bytes);
}
