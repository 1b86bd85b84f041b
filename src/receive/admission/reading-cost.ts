import { protobufRowBytes } from "../../otlp/rows/row-bytes.ts";
import { ATTRIBUTE_WIDTH, RARE_WIDTH, SPAN_WIDTH } from "../../otlp/rows/columns.ts";
import type { Accept, Acceptance, ReceivedRequest } from "../ports.ts";
import type { MemoryBudget } from "./memory-budget.ts";

/** Memory for decoding, as a multiple of the size of the decoded rows. Tables of rows double as they fill, and are copied once. */
const AT_MOST = 3;
/** For a body of fewer bytes, the body's size is used as the decoding cost. Measuring the cost would take longer than it saves. */
const FROM_BYTES = 256 << 10;
const OPEN_BRACE = 0x7b;

/** Returns the number of bytes that decoding needs in addition to the body. Counting stops once the number exceeds `most`. */
export function readingCost(
  body: Uint8Array,
  { signal, encoding }: Pick<ReceivedRequest, "signal" | "encoding">,
  most = Infinity,
): number {
  if (signal === "metrics") return 0;
  if (body.length < FROM_BYTES) return body.length;
  const mostRows = most / AT_MOST;
  const rows =
    encoding === "protobuf" ? protobufRowBytes(body, signal, mostRows) : jsonRowBytes(body, mostRows);
  return AT_MOST * rows;
}

/**
 * Estimates the memory of a JSON body's rows in bytes, from the numbers of `traceId` fields and of attributes. The number of attributes is
 * estimated as half the number of opening braces, because each attribute has two.
 */
function jsonRowBytes(body: Uint8Array, most: number): number {
  const braces = countBytes(body, OPEN_BRACE, most / BYTES_A_BRACE);
  let bytes = braces * BYTES_A_BRACE;
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  for (
    let at = text.indexOf(TRACE_ID);
    at >= 0 && bytes <= most;
    at = text.indexOf(TRACE_ID, at + TRACE_ID.length)
  )
    bytes += BYTES_A_SPAN;
  return bytes;
}

const TRACE_ID = Buffer.from('"traceId"');
const BYTES_A_SPAN = 4 * (SPAN_WIDTH + RARE_WIDTH);
const BYTES_A_BRACE = 2 * ATTRIBUTE_WIDTH;
const WORD = 4;

/**
 * Counts the occurrences of a byte; stops once the count exceeds `most`. Other requests wait during the loop, so it compares four bytes at
 * a time.
 */
function countBytes(body: Uint8Array, byte: number, most: number): number {
  const first = Math.min(body.length, (WORD - (body.byteOffset % WORD)) % WORD);
  const words = new Int32Array(body.buffer, body.byteOffset + first, (body.length - first) >> 2);
  const all = byte * 0x01010101;
  let count = 0;
  for (let at = 0; at < first; at++) if (body[at] === byte) count++;
  for (let word = 0; word < words.length && count <= most; word++) {
    const zeroed = (words[word] as number) ^ all;
    // Skips a word of four bytes if no byte of the word is `byte`.
    if (((zeroed - 0x01010101) & ~zeroed & 0x80808080) === 0) continue;
    for (let at = first + word * WORD, end = at + WORD; at < end; at++) if (body[at] === byte) count++;
  }
  for (let at = first + words.length * WORD; at < body.length; at++) if (body[at] === byte) count++;
  return count;
}

/** Wraps `accept`, so that memory for decoding is reserved before each call. If the memory is not available, the request is refused. */
export function acceptWithin(budget: MemoryBudget, accept: Accept): Accept {
  return (body, request) => {
    const cost = readingCost(body, request, budget.hard);
    if (cost + body.length > budget.hard) return tooCostly(cost + body.length, budget.hard);
    const refusal = budget.reserveReading(cost);
    if (refusal !== null) return refusal;
    let acceptance: Acceptance | Promise<Acceptance>;
    try {
      acceptance = accept(body, request);
    } finally {
      budget.release(cost);
    }
    return acceptance;
  };
}

function tooCostly(bytes: number, most: number): Acceptance {
  const message =
    `reading this request would need at least ${bytes} bytes of memory, but limits.memory allows ${most}: ` +
    "send smaller batches, or raise limits.memory";
  return { kind: "too_large", message };
}
