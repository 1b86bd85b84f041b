import { describe, expect, test } from "vitest";
import { BodyBuffer } from "../../src/receive/body/body-buffer.ts";
import { freeBuffer } from "../../src/receive/body/free-buffer.ts";
import { Reservation, UNLIMITED } from "../../src/receive/intake/reservation.ts";

describe("letting go of memory", () => {
  test("frees bytes that have their memory to themselves", () => {
    const bytes = Buffer.allocUnsafeSlow(10_000);
    freeBuffer(bytes);
    expect(bytes.length).toBe(0);
  });

  test("leaves what shares its memory alone", () => {
    const whole = Buffer.alloc(20_000, 7);
    freeBuffer(whole.subarray(0, 10_000));
    const shared = new Uint8Array(new SharedArrayBuffer(10_000));
    freeBuffer(shared);
    expect([whole.length, whole[19_999], shared.length]).toEqual([20_000, 7, 10_000]);
  });

  test("a body's chunks are freed as they are copied, the body stays", () => {
    const chunks = [1, 2, 3].map((value) => Buffer.alloc(65_536, value));
    const buffer = new BodyBuffer(3 * 65_536, 2 ** 20, new Reservation(UNLIMITED));
    for (const chunk of chunks) buffer.append(chunk);
    const body = buffer.take();
    expect(chunks.map(({ length }) => length)).toEqual([0, 0, 0]);
    expect([body.length, body[0], body[65_536], body[131_072]]).toEqual([3 * 65_536, 1, 2, 3]);
  });
});
