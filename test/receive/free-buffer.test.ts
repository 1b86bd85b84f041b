import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { BodyBuffer } from "../../src/receive/body/body-buffer.ts";
import { freeBuffer } from "../../src/receive/body/free-buffer.ts";
import { inflate } from "../../src/receive/body/inflate.ts";
import { Reservation, UNLIMITED } from "../../src/receive/intake/reservation.ts";
import { receive, send } from "./support.ts";

const MIB = 2 ** 20;

describe("letting go of memory", () => {
  test("leaves what shares its memory alone", () => {
    const whole = Buffer.alloc(20_000, 7);
    freeBuffer(whole.subarray(0, 10_000));
    const shared = new Uint8Array(new SharedArrayBuffer(10_000));
    freeBuffer(shared);
    expect([whole.length, whole[19_999], shared.length]).toEqual([20_000, 7, 10_000]);
  });

  test("a body that is not taken is freed", () => {
    const before = process.memoryUsage().arrayBuffers;
    for (let body = 0; body < 64; body++) {
      const buffer = new BodyBuffer(4 * MIB, 4 * MIB, new Reservation(UNLIMITED));
      buffer.append(Buffer.alloc(100));
      buffer.drop();
    }
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(8 * MIB);
  });

  test.each([
    { what: "malformed", answer: { kind: "malformed", message: "no" } as const },
    { what: "too costly to read", answer: { kind: "too_large", message: "no" } as const },
  ])("a body that is refused as $what is freed before the response", async ({ answer }) => {
    const { http, taken } = await receive({ accept: () => answer });
    const headers = { "content-type": "application/x-protobuf", "content-encoding": "gzip" };
    await send(http, "/v1/traces", headers, gzipSync(Buffer.alloc(4 * MIB)));
    expect(taken.map(({ body }) => body.length)).toEqual([0]);
  });

  test("what was decompressed of a body that exceeds the limit is freed, except for its last chunk", async () => {
    const coded = Buffer.concat([gzipSync(Buffer.alloc(30 * MIB)), gzipSync(Buffer.alloc(30 * MIB))]);
    const before = process.memoryUsage().arrayBuffers;
    const admitted = new Reservation(UNLIMITED);
    const result = await inflate("gzip", coded, 40 * MIB, admitted, () => Promise.resolve(null));
    expect(result.kind).toBe("too_large");
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(8 * MIB);
  });
});
