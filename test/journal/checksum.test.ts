import { crc32 } from "node:zlib";
import fc from "fast-check";
import { expect, test } from "vitest";
import { checksumAfter } from "../../src/journal/checksum.ts";

test("a body's checksum after any other text is that of both together, also when it is asked for again", () => {
  const bytes = fc.uint8Array({ maxLength: 20_000, size: "max" });
  fc.assert(
    fc.property(bytes, fc.array(fc.uint8Array({ maxLength: 50 }), { maxLength: 3 }), (body, before) => {
      for (const text of before)
        expect(checksumAfter(crc32(text), body)).toBe(crc32(Buffer.concat([text, body])));
    }),
    { numRuns: 50 },
  );
});

test.each([4096, 4097, 65_536, 1_234_567])("the same for a body of %i bytes and any salt", (bytes) => {
  const body = Uint8Array.from({ length: bytes }, (_, at) => (at * 7919) >> 5);
  for (const salt of [0, 1, 0x80000000, 0xffffffff, 123_456_789]) {
    expect(checksumAfter(salt, body)).toBe(crc32(body, salt));
    expect(checksumAfter(salt, body)).toBe(crc32(body, salt));
  }
});
