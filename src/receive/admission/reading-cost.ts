import { protobufRowBytes } from "../../otlp/rows/row-bytes.ts";
import { ATTRIBUTE_WIDTH, RARE_WIDTH, SPAN_WIDTH } from "../../otlp/rows/columns.ts";
import type { Accept, Acceptance, ReceivedRequest } from "../ports.ts";
import type { MemoryBudget } from "./memory-budget.ts";

/** Rows are made in tables that double as they fill, and copied once. */
const AT_MOST = 3;
/** Smaller bodies cost less than it costs to find out. */
const FROM_BYTES = 256 << 10;
const OPEN_BRACE = 0x7b;

/** Memory for reading a body besides the body itself, in bytes. What exceeds `most` is not counted to its end. */
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

/** Every span has an id, and every attribute two braces. */
function jsonRowBytes(body: Uint8Array, most: number): number {
  let bytes = 0;
  for (let at = 0; at < body.length && bytes <= most; at++) {
    const byte = body[at];
    if (byte === OPEN_BRACE) bytes += BYTES_A_BRACE;
    else if (byte === QUOTE && isTraceId(body, at)) {
      bytes += BYTES_A_SPAN;
      at += TRACE_ID.length - 1;
    }
  }
  return bytes;
}

const QUOTE = 0x22;
const TRACE_ID = Buffer.from('"traceId"');
const BYTES_A_SPAN = 4 * (SPAN_WIDTH + RARE_WIDTH);
const BYTES_A_BRACE = 2 * ATTRIBUTE_WIDTH;

function isTraceId(body: Uint8Array, at: number): boolean {
  for (let i = 1; i < TRACE_ID.length; i++) if (body[at + i] !== TRACE_ID[i]) return false;
  return true;
}

/** The same `accept`, which is called when there is memory for reading the body, and refuses otherwise. */
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
    `reading this request would take ${bytes} bytes of memory, and limits.memory leaves ${most}: ` +
    "send smaller batches, or raise limits.memory";
  return { kind: "too_large", message };
}
