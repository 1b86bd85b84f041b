import { createRequire } from "node:module";
import { promisify } from "node:util";
import zlib from "node:zlib";
import { readZstdFrames } from "../body/zstd-frames.ts";
import { ZstdWorker } from "../body/zstd-worker.ts";

/** Compression codec for record batches, as kafkajs requires it. */
export interface Codec {
  compress(encoder: { readonly buffer: Buffer }): Promise<Buffer>;
  decompress(buffer: Buffer): Promise<Buffer>;
}

/** Maximum decompressed size of a batch in bytes. A limit is needed here, because the broker limits only the compressed size. */
const MOST_INFLATED = 256 << 20;

const require = createRequire(import.meta.url);
const gunzip = promisify(zlib.unzip);
const gzip = promisify(zlib.gzip);

export function gzipCodec(most = MOST_INFLATED): Codec {
  return {
    compress: ({ buffer }) => gzip(buffer),
    decompress: (buffer) => gunzip(buffer, { maxOutputLength: most }),
  };
}

/**
 * Prefix of a Snappy batch from a Java client. Length-prefixed blocks follow the prefix. Clients in other languages send a single block
 * without the prefix.
 */
const XERIAL = Buffer.from([0x82, 0x53, 0x4e, 0x41, 0x50, 0x50, 0x59, 0x00]);
const XERIAL_HEADER = 16;

export function snappyCodec(most = MOST_INFLATED): Codec {
  const { uncompress } = require("snappyjs") as {
    readonly uncompress: (block: Buffer, most?: number) => Buffer;
  };
  return {
    compress: notNeeded,
    async decompress(buffer) {
      if (!buffer.subarray(0, XERIAL.length).equals(XERIAL)) return uncompress(buffer, most);
      const blocks: Buffer[] = [];
      let left = most;
      for (let at = XERIAL_HEADER; at + 4 <= buffer.length;) {
        const length = buffer.readUInt32BE(at);
        if (at + 4 + length > buffer.length) throw new Error("a snappy batch ends in the middle of a block");
        const block = uncompress(buffer.subarray(at + 4, at + 4 + length), left);
        left -= block.length;
        blocks.push(block);
        at += 4 + length;
      }
      return Buffer.concat(blocks);
    },
  };
}

const LZ4_MAGIC = 0x184d2204;

export function lz4Codec(most = MOST_INFLATED): Codec {
  const { decompress, decompressBound } = require("lz4js") as {
    readonly decompress: (frame: Uint8Array, size?: number) => Uint8Array;
    readonly decompressBound: (frame: Uint8Array) => number;
  };
  return {
    compress: notNeeded,
    async decompress(buffer) {
      if (buffer.length < 7 || buffer.readUInt32LE(0) !== LZ4_MAGIC)
        throw new Error("an lz4 batch is not an lz4 frame");
      const size = decompressBound(buffer);
      if (size > most) throw tooLarge(size, most);
      return Buffer.from(decompress(buffer, size));
    },
  };
}

const UNZSTD_MS = 10_000;

export function zstdCodec(most = MOST_INFLATED): Codec {
  const worker = new ZstdWorker(UNZSTD_MS);
  return {
    compress: notNeeded,
    async decompress(buffer) {
      const frames = readZstdFrames(buffer);
      if (typeof frames === "string") throw new Error(frames);
      if (frames.least > most || frames.window > most) throw tooLarge(frames.least, most);
      const made = await worker.run(new Uint8Array(buffer), most, frames.declared);
      if (made === "too_large") throw tooLarge(frames.most, most);
      if ("error" in made) throw new Error(`a zstd batch cannot be decompressed: ${made.error}`);
      return Buffer.from(made.buffer, made.byteOffset, made.byteLength);
    },
  };
}

function tooLarge(size: number, most: number): Error {
  return new Error(`a batch has ${size} bytes after decompression, more than the limit of ${most}`);
}

/** Rejects, because Tracejury produces only uncompressed records. */
function notNeeded(): Promise<Buffer> {
  return Promise.reject(new Error("compression is not supported"));
}
