import { protobufRowBytes } from "../otlp/row-bytes.ts";
import { ATTRIBUTE_WIDTH, RARE_WIDTH, SPAN_WIDTH } from "../otlp/columns.ts";
import type { Accept, Acceptance, ReceivedRequest } from "../receive/ports.ts";
import type { MemoryBudget } from "./memory-budget.ts";

/** Rows are made in tables that double as they fill, and copied once. */
const AT_MOST = 3;
/** Smaller bodies cost less than it costs to find out. */
const FROM_BYTES = 256 << 10;
const OPEN_BRACE = 0x7b;

/** Memory for reading a body besides the body itself, in bytes. */
export function readingCost(
  body: Uint8Array,
  { signal, encoding }: Pick<ReceivedRequest, "signal" | "encoding">,
): number {
  if (signal === "metrics") return 0;
  if (body.length < FROM_BYTES) return body.length;
  const rows = encoding === "protobuf" ? protobufRowBytes(body, signal) : jsonRowBytes(body);
  return AT_MOST * rows;
}

/** Every span has an id, and every attribute two braces. */
function jsonRowBytes(body: Uint8Array): number {
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  let spans = 0;
  for (let at = text.indexOf('"traceId"'); at >= 0; at = text.indexOf('"traceId"', at + 9)) spans++;
  let braces = 0;
  for (const byte of body) if (byte === OPEN_BRACE) braces++;
  return 4 * (spans * (SPAN_WIDTH + RARE_WIDTH) + (braces / 2) * ATTRIBUTE_WIDTH);
}

/** The same `accept`, which is called when there is memory for reading the body, and refuses otherwise. */
export function acceptWithin(budget: MemoryBudget, accept: Accept): Accept {
  return (body, request) => {
    const cost = readingCost(body, request);
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
