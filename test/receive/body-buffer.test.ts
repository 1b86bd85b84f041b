import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { BodyBuffer } from "../../src/receive/body/body-buffer.ts";
import type { Admission } from "../../src/receive/ports.ts";
import { Reservation, UNLIMITED } from "../../src/receive/intake/reservation.ts";

const LIMIT = 300_000;
const sizes = fc.array(fc.oneof(fc.nat(50), fc.nat(70_000)), { maxLength: 12 });

function chunksOf(sizes: readonly number[]): Buffer[] {
  return sizes.map((size, i) => Buffer.alloc(size, i + 1));
}

describe("collecting a body", () => {
  test("in whatever pieces it comes, with or without its length: the same bytes, in memory of its own", () => {
    fc.assert(
      fc.property(sizes, fc.boolean(), (sizes, declares) => {
        const chunks = chunksOf(sizes);
        const whole = Buffer.concat(chunks);
        fc.pre(whole.length <= LIMIT);
        const buffer = new BodyBuffer(declares ? whole.length : undefined, LIMIT, new Reservation(UNLIMITED));
        expect(buffer.reserve()).toBeNull();
        for (const chunk of chunks) expect(buffer.append(chunk)).toBeNull();
        const body = buffer.take();
        expect(Buffer.compare(body, whole)).toBe(0);
        expect(body.buffer.byteLength).toBeLessThanOrEqual(whole.length * 1.125 + 64);
      }),
      { numRuns: 60 },
    );
  });

  test("never holds more than was admitted, and after it just the body", () => {
    fc.assert(
      fc.property(sizes, fc.nat(LIMIT), (sizes, room) => {
        let held = 0;
        const admission: Admission = {
          admit: (bytes) => (held + bytes > room ? FULL : ((held += bytes), null)),
          release: (bytes) => void (held -= bytes),
        };
        const reservation = new Reservation(admission);
        const buffer = new BodyBuffer(undefined, LIMIT, reservation);
        let trouble: unknown = null;
        for (const chunk of chunksOf(sizes)) trouble ??= buffer.append(chunk);
        expect(buffer.length).toBeLessThanOrEqual(held);
        if (trouble === null) buffer.take();
        else reservation.release();
        expect(held).toBe(trouble === null ? buffer.length : 0);
      }),
      { numRuns: 60 },
    );
  });

  test("a declared length is not believed before bytes come", () => {
    const buffer = new BodyBuffer(60 << 20, 64 << 20, new Reservation(UNLIMITED));
    const before = process.memoryUsage().arrayBuffers;
    buffer.append(Buffer.alloc(10));
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(8 << 20);
  });

  test("a chunk that shares its memory with others is copied", () => {
    const shared = Buffer.alloc(100, 1);
    const buffer = new BodyBuffer(10, LIMIT, new Reservation(UNLIMITED));
    buffer.append(shared.subarray(0, 10));
    const body = buffer.take();
    shared.fill(9);
    expect([...body]).toEqual(Array<number>(10).fill(1));
  });
});

const FULL = { kind: "unavailable", retryAfterS: 1, message: "full" } as const;
