import { Decompress } from "fzstd";
import { readHeader } from "../../body/zstd-frames.ts";
import type { FileSource } from "./file-source.ts";

const CHUNK = 1 << 18;
/** Largest window in bytes that the `zstd` program accepts by default. */
const LARGEST_WINDOW = 128 << 20;

/** Decompresses a zstd file. Node's own decoder is not used: in Node 24, it ends after the first of several frames. */
export function* zstdPieces(file: FileSource): Generator<Uint8Array> {
  const made: Uint8Array[] = [];
  const decompress = new Decompress((piece) => made.push(piece));
  checkWindow(file);
  let count = CHUNK;
  while (count > 0) {
    const chunk = new Uint8Array(CHUNK);
    count = file.read(chunk, 0);
    decompress.push(chunk.subarray(0, count), count === 0);
    yield* made.splice(0);
  }
}

function checkWindow(file: FileSource): void {
  const head = new Uint8Array(32);
  file.readAt(head, 0);
  const header = readHeader(new DataView(head.buffer), 4);
  if (header !== null && header.window > LARGEST_WINDOW) {
    throw new Error(
      `the zstd window of ${header.window} bytes exceeds the limit of ${LARGEST_WINDOW}: compress the file with a smaller window`,
    );
  }
}
