/** Sizes of a zstd body, read from its headers before decoding. */
export interface ZstdFrames {
  /** Sum of the content sizes that the frames declare, in bytes. A frame that declares no size counts as zero. */
  readonly least: number;
  /** Maximum decompressed size of all blocks together, in bytes. */
  readonly most: number;
  /** Whether every frame declares its content size. */
  readonly declared: boolean;
  /** Largest window of all frames in bytes. Decoding needs memory for the window in addition to the output. */
  readonly window: number;
}

const MAGIC = 0xfd2fb528;
const SKIPPABLE = 0x184d2a50;
const MAX_BLOCK = 128 << 10;
const RLE = 1;
const COMPRESSED = 2;
const RESERVED = 3;
const TRUNCATED = "the zstd body ends in the middle of a frame";

/**
 * Reads the frame and block headers of a zstd body (RFC 8878 §3.1) without decoding it. Returns an error
 * message if the body is malformed.
 */
export function readZstdFrames(body: Uint8Array): ZstdFrames | string {
  const view = new DataView(body.buffer, body.byteOffset, body.length);
  const sum = { least: 0, most: 0, declared: true, window: 0 };
  let at = 0;
  while (at < body.length) {
    if (at + 8 > body.length) return TRUNCATED;
    const magic = view.getUint32(at, true);
    if ((magic & 0xfffffff0) >>> 0 === SKIPPABLE) {
      at += 8 + view.getUint32(at + 4, true);
      continue;
    }
    if (magic !== MAGIC) return "the body is not zstd: it does not begin with a zstd frame";
    const frame = readHeader(view, at + 4);
    const blocks = frame === null ? null : readBlocks(view, frame);
    if (frame === null || blocks === null) return TRUNCATED;
    sum.least += frame.declared ?? 0;
    sum.most += frame.declared ?? blocks.most;
    sum.declared &&= frame.declared !== null;
    sum.window = Math.max(sum.window, frame.window);
    at = blocks.end + (frame.checksum ? 4 : 0);
  }
  return at === body.length && at > 0 ? sum : TRUNCATED;
}

export interface Header {
  /** Content size in bytes that the frame declares; null if it declares none. */
  readonly declared: number | null;
  readonly window: number;
  readonly checksum: boolean;
  /** Offset of the first block. */
  readonly blocks: number;
}

export function readHeader(view: DataView, at: number): Header | null {
  const descriptor = view.getUint8(at);
  const singleSegment = (descriptor & 0x20) !== 0;
  const sizeBytes = [singleSegment ? 1 : 0, 2, 4, 8][descriptor >> 6] ?? 0;
  const dictionaryBytes = [0, 1, 2, 4][descriptor & 3] ?? 0;
  const size = at + 1 + (singleSegment ? 0 : 1) + dictionaryBytes;
  const blocks = size + sizeBytes;
  if (blocks > view.byteLength) return null;
  const declared = sizeBytes === 0 ? null : readSize(view, size, sizeBytes);
  const window = singleSegment ? (declared ?? 0) : windowSize(view.getUint8(at + 1));
  return { declared, window, checksum: (descriptor & 4) !== 0, blocks };
}

function readSize(view: DataView, at: number, bytes: number): number {
  if (bytes === 8) return Number(view.getBigUint64(at, true));
  if (bytes === 4) return view.getUint32(at, true);
  if (bytes === 2) return view.getUint16(at, true) + 256;
  return view.getUint8(at);
}

function windowSize(descriptor: number): number {
  const base = 2 ** (10 + (descriptor >> 3));
  return base + (base / 8) * (descriptor & 7);
}

/**
 * Returns the offset after the last block, and the blocks' maximum decompressed size in bytes; null if the body is truncated or malformed.
 */
function readBlocks(view: DataView, frame: Header): { end: number; most: number } | null {
  const largest = Math.min(frame.window, MAX_BLOCK);
  let at = frame.blocks;
  let most = 0;
  for (;;) {
    if (at + 3 > view.byteLength) return null;
    const header = view.getUint16(at, true) | (view.getUint8(at + 2) << 16);
    const type = (header >> 1) & 3;
    const size = header >> 3;
    if (type === RESERVED || size > MAX_BLOCK) return null;
    most += type === COMPRESSED ? largest : size;
    at += 3 + (type === RLE ? 1 : size);
    if (at > view.byteLength) return null;
    if ((header & 1) === 1) return { end: at, most };
  }
}
