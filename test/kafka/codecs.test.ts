import { createRequire } from "node:module";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { gzipCodec, lz4Codec, snappyCodec, zstdCodec } from "../../src/receive/kafka/codecs.ts";

const require = createRequire(import.meta.url);
const snappy = require("snappyjs") as { readonly compress: (bytes: Buffer) => Buffer };
const lz4 = require("lz4js") as { readonly compress: (bytes: Buffer) => Uint8Array };

const LINES = Buffer.alloc(300_000, "span of an agent, \n");
/** LINES by the zstd command. */
const ZSTD =
  "28b52ffda4e0930400dc0000987370616e206f6620616e206167656e742c200a0100d5ff2d9f614c000008200100fcff3910024d000008700100dc131d08012c5664e3";

function xerial(...parts: readonly Buffer[]): Buffer {
  const blocks = parts.flatMap((part) => {
    const block = snappy.compress(part);
    const length = Buffer.alloc(4);
    length.writeUInt32BE(block.length);
    return [length, block];
  });
  return Buffer.concat([Buffer.from("82534e41505059000000000100000001", "hex"), ...blocks]);
}

const batches = [
  ["gzip", gzipCodec, gzipSync(LINES)],
  ["snappy, one block", snappyCodec, snappy.compress(LINES)],
  ["snappy, in Java's frames", snappyCodec, xerial(LINES.subarray(0, 100_000), LINES.subarray(100_000))],
  ["lz4", lz4Codec, Buffer.from(lz4.compress(LINES))],
  ["zstd", zstdCodec, Buffer.from(ZSTD, "hex")],
] as const;

describe.each(batches)("%s", (_name, codec, batch) => {
  test("is read", async () => {
    expect((await codec().decompress(batch)).equals(LINES)).toBe(true);
  });

  test("is refused when it inflates to more than is allowed", async () => {
    await expect(codec(200_000).decompress(batch)).rejects.toThrow(/bytes|larger|big/i);
  });
});
