import { describe, expect, test } from "vitest";
import type { Admission } from "../../src/receive/ports.ts";
import { Reservation, UNLIMITED } from "../../src/receive/intake/reservation.ts";
import { readZstdFrames } from "../../src/receive/body/zstd-frames.ts";
import { ZstdWorker } from "../../src/receive/body/zstd-worker.ts";
import { unzstd } from "../../src/receive/body/zstd.ts";
import { PROTOBUF_TYPE, receive, send } from "./support.ts";

/** What the zstd command made: 300,000 bytes of one line again and again, with and without its size in the header. */
const KNOWN =
  "28b52ffda4e0930400dc0000987370616e206f6620616e206167656e742c200a0100d5ff2d9f614c000008200100fcff3910024d000008700100dc131d08012c5664e3";
const UNKNOWN =
  "28b52ffd0458dc0000987370616e206f6620616e206167656e742c200a0100d5ff2d9f614c000008200100fcff3910024d000008700100dc131d08012c5664e3";
/** Two frames with a skippable one between them. */
const TWO =
  "28b52ffd04582100006f6e652029923fd7502a4d180300000061626328b52ffd0458390000616e642074776f9dffaa85";
const LINES = Buffer.alloc(300_000, "span of an agent, \n");

const bytes = (hex: string) => Buffer.from(hex, "hex");
const ZSTD = { ...PROTOBUF_TYPE, "content-encoding": "zstd" };

/** 32,512 sequences of 131,074 bytes each in one block: minutes of work for a decoder that does not count. */
function endless(): Buffer {
  const sequences = Buffer.alloc(2 * 0x7f00, 0xff);
  const block = Buffer.concat([
    Buffer.from([0x09, 0x78]),
    Buffer.from([0xff, 0, 0, 0x54, 0, 0, 52]),
    sequences,
    Buffer.of(1),
  ]);
  const header = Buffer.alloc(3);
  header.writeUIntLE((block.length << 3) | (2 << 1) | 1, 0, 3);
  return Buffer.concat([bytes("28b52ffd0050"), header, block]);
}

/** Nothing else waits. */
const atOnce = () => Promise.resolve(null);

describe("C12 zstd", () => {
  test.each([
    ["with its size", KNOWN, LINES],
    ["without", UNKNOWN, LINES],
    ["in several frames", TWO, Buffer.from("one and two")],
    ["incompressible", "28b52ffd00581100007b7d", Buffer.from("{}")],
    ["empty", "28b52ffd240001000099e9d851", Buffer.alloc(0)],
  ])("a body %s arrives decoded", async (_name, hex, content) => {
    const { http, taken } = await receive();
    expect((await send(http, "/v1/traces", ZSTD, bytes(hex))).status).toBe(200);
    expect(Buffer.compare(taken[0]?.body ?? LINES, content)).toBe(0);
  });

  test("C15 what inflates past the limit is 413, whether the frame says so or not", async () => {
    const { http } = await receive({ maxBody: 299_999 });
    for (const hex of [KNOWN, UNKNOWN]) {
      expect((await send(http, "/v1/traces", ZSTD, bytes(hex))).status).toBe(413);
    }
    const other = await receive({ maxBody: 300_000 });
    for (const hex of [KNOWN, UNKNOWN]) {
      expect((await send(other.http, "/v1/traces", ZSTD, bytes(hex))).status).toBe(200);
    }
  });

  test("every truncation and every flipped bit is answered, never a crash", async () => {
    const whole = bytes(UNKNOWN);
    for (let length = 0; length < whole.length; length++) {
      const result = await unzstd(whole.subarray(0, length), 1 << 20, new Reservation(UNLIMITED), atOnce);
      expect(result.kind).toBe("malformed");
    }
    for (let bit = 0; bit < whole.length * 8; bit += 7) {
      const flipped = Buffer.from(whole);
      flipped.writeUInt8(flipped.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
      const result = await unzstd(flipped, 1 << 20, new Reservation(UNLIMITED), atOnce);
      expect(["whole", "malformed", "too_large"]).toContain(result.kind);
    }
  });

  test("no memory is taken before it is admitted", async () => {
    let held = 0;
    const admission: Admission = {
      admit: (n) =>
        held + n > 100_000 ? { kind: "unavailable", retryAfterS: 1, message: "full" } : ((held += n), null),
      release: (n) => void (held -= n),
    };
    const reservation = new Reservation(admission);
    expect((await unzstd(bytes(KNOWN), 1 << 20, reservation, atOnce)).kind).toBe("unavailable");
    reservation.release();
    expect(held).toBe(0);
  });
});

test("the thread that decompresses zstd is ended when a body keeps it busy, and the next does the bodies behind", async () => {
  const worker = new ZstdWorker(3000);
  const hostile = endless();
  expect(readZstdFrames(hostile)).toMatchObject({ declared: false });
  const results = await Promise.all([
    worker.run(new Uint8Array(hostile), 64 << 20, false),
    worker.run(new Uint8Array(bytes(KNOWN)), 1 << 20, true),
  ]);
  expect(results[0]).toMatchObject({ error: expect.stringContaining("too long") as string });
  expect(results[1]).toHaveLength(300_000);
});

test("the thread that undoes zstd does not keep the process alive once it is idle", async () => {
  const ports = () => process.getActiveResourcesInfo().filter((name) => name === "MessagePort").length;
  const before = ports();
  const worker = new ZstdWorker(5_000);
  expect(await worker.run(new Uint8Array(bytes(KNOWN)), 1 << 20, true)).toHaveLength(LINES.length);
  expect(await worker.run(new Uint8Array(bytes(KNOWN)), 1 << 20, true)).toHaveLength(LINES.length);
  expect(ports()).toBe(before);
});
