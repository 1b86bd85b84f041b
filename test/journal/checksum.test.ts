import { createCipheriv } from "node:crypto";
import { crc32 } from "node:zlib";
import fc from "fast-check";
import { expect, test } from "vitest";
import { ChecksumForm, checksumOf } from "../../src/journal/disk/checksum.ts";

const meta = Buffer.from("meta");
const bytesOf = (length: number): Uint8Array => Uint8Array.from({ length }, (_, at) => (at * 7919) >> 5);

test("the plain form is the CRC-32 of meta and body, begun with the salt", () => {
  fc.assert(
    fc.property(fc.uint8Array(), fc.uint8Array(), fc.nat(), (before, body, salt) => {
      const both = Buffer.concat([before, body]);
      expect(checksumOf(ChecksumForm.plain, salt, before, body)).toBe(crc32(both, salt));
    }),
  );
});

test.each([0, 1, 65_536, 1_234_567])("the tagged form of %i bytes hangs on salt, meta and GMAC", (length) => {
  const body = bytesOf(length);
  const cipher = createCipheriv("aes-128-gcm", Buffer.from("tracejurytraceju"), Buffer.alloc(12));
  cipher.setAAD(body).final();
  const tag = cipher.getAuthTag();
  for (const salt of [0, 1, 0xffffffff]) {
    const expected = crc32(Buffer.concat([meta, tag]), salt);
    expect(checksumOf(ChecksumForm.tagged, salt, meta, body)).toBe(expected);
    expect(checksumOf(ChecksumForm.tagged, salt, meta, body)).toBe(expected);
  }
});
