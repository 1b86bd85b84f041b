import type { DiskFormat } from "./disk-queue.ts";

const LENGTH_BYTES = 4;

/** Batches of records on the disk: their number, then each with its length before it. */
export const batchFormat: DiskFormat<readonly Uint8Array[]> = {
  encode: (records) => ({
    meta: new Uint8Array(Uint32Array.of(records.length).buffer),
    body: Buffer.concat(records.flatMap((record) => [lengthOf(record), record])),
  }),
  decode: (_, body) => {
    const view = new DataView(body.buffer, body.byteOffset, body.byteLength);
    const records: Uint8Array[] = [];
    for (let at = 0; at + LENGTH_BYTES <= body.length;) {
      const length = view.getUint32(at, true);
      at += LENGTH_BYTES;
      records.push(body.subarray(at, at + length));
      at += length;
    }
    return records;
  },
  countIn: (meta) =>
    meta.length < LENGTH_BYTES ? 0 : new DataView(meta.buffer, meta.byteOffset).getUint32(0, true),
};

function lengthOf(record: Uint8Array): Uint8Array {
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32LE(record.length);
  return length;
}
