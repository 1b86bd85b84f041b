import fc from "fast-check";
import { expect, test } from "vitest";
import { MemoryBudget } from "../../src/receive/admission/memory-budget.ts";
import { acceptWithin, readingCost } from "../../src/receive/admission/reading-cost.ts";
import { RARE_WIDTH } from "../../src/otlp/rows/columns.ts";
import { protobufRowBytes } from "../../src/otlp/rows/row-bytes.ts";
import { readLogs, readTraces } from "../../src/otlp/protobuf/read-protobuf.ts";
import { encode, LogsData, TracesData } from "../otlp/oracle.ts";

const attributes = fc.array(fc.record({ key: fc.string(), value: fc.record({ stringValue: fc.string() }) }), {
  maxLength: 4,
});
const traceId = fc.uint8Array({ minLength: 16, maxLength: 16 }).filter((id) => id.some((byte) => byte > 0));
const spanId = fc.uint8Array({ minLength: 8, maxLength: 8 }).filter((id) => id.some((byte) => byte > 0));
const spans = fc.array(
  fc.record({
    traceId,
    spanId,
    name: fc.string(),
    attributes,
    events: fc.array(fc.record({ name: fc.string(), attributes }), { maxLength: 2 }),
    links: fc.array(fc.record({ traceId, spanId }), { maxLength: 2 }),
  }),
  { maxLength: 6 },
);

/** Of resources and scopes, of which there are few. */
function envelopes(batch: { scopeStart: number; resourceStart: number; eventStart: number }): number {
  return (batch.eventStart - batch.resourceStart) * 4;
}

test("the rows of a request of spans are counted without making them", () => {
  fc.assert(
    fc.property(spans, (list) => {
      const body = encode(TracesData, { resourceSpans: [{ scopeSpans: [{ spans: list }] }] });
      const read = readTraces(body);
      if (!read.ok) throw new Error(read.message);

      const { rows, spanCount, rareStart, resourceStart } = read.batch;
      const spared = (spanCount * RARE_WIDTH - (resourceStart - rareStart)) * 4;
      expect(protobufRowBytes(body, "traces")).toBe(rows.byteLength - envelopes(read.batch) + spared);
    }),
  );
});

test("and those of a request of log records", () => {
  fc.assert(
    fc.property(fc.array(fc.record({ traceId, spanId, attributes }), { maxLength: 6 }), (logRecords) => {
      const body = encode(LogsData, { resourceLogs: [{ scopeLogs: [{ logRecords }] }] });
      const read = readLogs(body);
      if (!read.ok) throw new Error(read.message);

      expect(protobufRowBytes(body, "logs")).toBe(read.batch.rows.byteLength - envelopes(read.batch));
    }),
  );
});

test("the estimate stops when the cost exceeds the limit", () => {
  const span = JSON.stringify({ traceId: "0a".repeat(16), spanId: "0b".repeat(8), attributes: [{}, {}] });
  const json = Buffer.from(
    `{"resourceSpans":[{"scopeSpans":[{"spans":[${Array(20_000).fill(span).join(",")}]}]}]}`,
  );
  const spans = Array.from({ length: 20_000 }, () => ({
    traceId: Buffer.alloc(16, 1),
    spanId: Buffer.alloc(8, 1),
  }));
  const protobuf = encode(TracesData, { resourceSpans: [{ scopeSpans: [{ spans }] }] });
  for (const [body, encoding] of [
    [json, "json"],
    [protobuf, "protobuf"],
  ] as const) {
    const about = { signal: "traces", encoding } as const;
    const whole = readingCost(body, about);
    expect(readingCost(body, about, whole)).toBe(whole);
    const part = readingCost(body, about, whole / 100);
    expect(part).toBeGreaterThan(whole / 100);
    expect(part).toBeLessThan(whole / 50);
  }
});

test("garbage is counted as far as it goes and does no harm", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (body) => {
      expect(protobufRowBytes(body, "traces")).toBeGreaterThanOrEqual(0);
    }),
  );
});

/** Spans with nothing in them but ids: 28 bytes each, and 124 bytes of rows. */
function bareSpans(count: number): Uint8Array {
  const span = Buffer.from([
    18,
    28,
    10,
    16,
    ...Array<number>(16).fill(1),
    18,
    8,
    ...Array<number>(8).fill(2),
  ]);
  const list = Buffer.concat(Array<Buffer>(count).fill(span));
  const wrap = (tag: number, inner: Buffer): Buffer => {
    const head = [tag];
    for (let rest = inner.length; ; rest >>>= 7) {
      if (rest < 128) {
        head.push(rest);
        break;
      }
      head.push((rest & 127) | 128);
    }
    return Buffer.concat([Buffer.from(head), inner]);
  };
  return wrap(10, wrap(18, list));
}

const noMetrics = { signal: "traces", encoding: "protobuf", transport: "http", wireBytes: 0 } as const;

function budgetOf(mib: number): MemoryBudget {
  return new MemoryBudget({
    limit: mib * 2 ** 20,
    base: 0,
    resident: () => 0,
    collect: () => undefined,
    now: () => 0,
    random: () => 0,
  });
}

test("a body of nothing but small spans costs many times its size, and is refused before it is read", () => {
  const body = bareSpans(100_000);
  expect(readingCost(body, noMetrics)).toBeGreaterThan(40_000 * 124);
  const never = acceptWithin(budgetOf(16), () => {
    throw new Error("read all the same");
  });
  expect(never(body, noMetrics)).toMatchObject({ kind: "too_large" });
});

test("what reading took is given back, also when reading fails", () => {
  const budget = budgetOf(64);
  const body = bareSpans(40_000);
  const failing = acceptWithin(budget, () => {
    expect(budget.reserved).toBeGreaterThan(0);
    throw new Error("no");
  });
  expect(() => failing(body, noMetrics)).toThrow("no");
  expect(budget.reserved).toBe(0);
});

test("JSON costs by its spans and attributes", () => {
  const span = { traceId: "0".repeat(31) + "1", spanId: "0".repeat(15) + "1", attributes: [] };
  const body = Buffer.from(JSON.stringify({ spans: Array.from({ length: 5_000 }, () => span) }));
  const cost = readingCost(body, { signal: "traces", encoding: "json" });
  expect(cost).toBeGreaterThan(5_000 * 124);
  expect(cost).toBeLessThan(20 * body.length);
});
