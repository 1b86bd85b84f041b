import type { Batch } from "./batch.ts";
import { Wire } from "./protobuf-wire.ts";

const CONTAINERS: ReadonlySet<number> = new Set([10]);
/** Field 2, and its deprecated forerunner. */
const SCOPES: ReadonlySet<number> = new Set([18, (1000 << 3) | 2]);
const RECORDS: ReadonlySet<number> = new Set([18]);
const LEVELS = [CONTAINERS, SCOPES, RECORDS];

/** Tells the records that are wanted by where their bytes begin in the body. */
export interface Wanted {
  has(start: number): boolean;
}

const nothing: ReadonlyMap<number, Uint8Array> = new Map();

/**
 * A request with only those records whose bytes begin at one of `starts`: their resources and scopes around them, every byte as it was
 * sent, unknown fields included. A request is walked, not decoded.
 * @param additions fields to be put behind those of a record, by where it begins
 */
export function cutProtobuf(
  { body, view }: Pick<Batch, "body" | "view">,
  starts: Wanted,
  additions = nothing,
): Uint8Array {
  const wire = new Wire();
  wire.view = view;
  const pieces = select({ wire, body, starts, additions }, 0, body.length, 0) ?? [];
  return concat(pieces);
}

interface Cut {
  readonly wire: Wire;
  readonly body: Uint8Array;
  readonly starts: Wanted;
  readonly additions: ReadonlyMap<number, Uint8Array>;
}

/** The pieces of the message at [start, end) with only selected records in it; undefined when there is none. */
function select(cut: Cut, start: number, end: number, level: number): Uint8Array[] | undefined {
  const { wire, body } = cut;
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
      const inner = level === 2 ? record(cut, content, next) : select(cut, content, next, level + 1);
      if (inner !== undefined) {
        any = true;
        pieces.push(body.subarray(p, afterTag), varint(lengthOf(inner)), ...inner);
      }
    }
    p = next;
  }
  return any ? pieces : undefined;
}

function record({ body, starts, additions }: Cut, start: number, end: number): Uint8Array[] | undefined {
  if (!starts.has(start)) return undefined;
  const added = additions.get(start);
  const sent = body.subarray(start, end);
  return added === undefined ? [sent] : [sent, added];
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
