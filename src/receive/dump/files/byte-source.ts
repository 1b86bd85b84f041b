import { createReadStream } from "node:fs";
import zlib from "node:zlib";
import { type ByteSource, FileSource } from "./file-source.ts";
import { zstdPieces } from "./zstd-reader.ts";

const CHUNK = 1 << 20;

export type Compression = "gzip" | "zstd" | undefined;

/** Detects the compression of a file from its first bytes. */
export function compressionOf(head: Uint8Array): Compression {
  const [a, b, c, d] = head;
  if (a === 0x1f && b === 0x8b) return "gzip";
  return a === 0x28 && b === 0xb5 && c === 0x2f && d === 0xfd ? "zstd" : undefined;
}

/** Opens a file for reading. A compressed file is decompressed. */
export function openSource(path: string): ByteSource {
  const file = new FileSource(path);
  const head = new Uint8Array(4);
  file.readAt(head, 0);
  const compression = compressionOf(head);
  if (compression === undefined) return file;
  if (compression === "zstd") return new PieceSource(zstdPieces(file), () => file.close());
  file.close();
  const stream = createReadStream(path, { highWaterMark: CHUNK });
  const inflate = zlib.createGunzip({ chunkSize: CHUNK });
  stream.on("error", (error) => inflate.destroy(error));
  return new PieceSource(stream.pipe(inflate), () => {
    stream.destroy();
    inflate.destroy();
  });
}

/** Adapts an iterator of chunks to a `ByteSource`. */
class PieceSource implements ByteSource {
  readonly #pieces: AsyncIterator<Uint8Array> | Iterator<Uint8Array>;
  readonly #close: () => void;
  #rest: Uint8Array = new Uint8Array(0);

  constructor(pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>, close: () => void) {
    this.#pieces =
      Symbol.asyncIterator in pieces ? pieces[Symbol.asyncIterator]() : pieces[Symbol.iterator]();
    this.#close = close;
  }

  async read(into: Uint8Array, at: number): Promise<number> {
    while (this.#rest.length === 0) {
      const next = await this.#pieces.next();
      if (next.done === true) return 0;
      this.#rest = next.value;
    }
    const part = this.#rest.subarray(0, into.length - at);
    into.set(part, at);
    this.#rest = this.#rest.subarray(part.length);
    return part.length;
  }

  close(): void {
    this.#close();
  }
}
