import { isUtf8 } from "node:buffer";
import zlib from "node:zlib";
import { Decompress } from "fzstd";
import { readDocument } from "../../../otlp/protobuf/protobuf-document.ts";
import { readDocumentJson } from "../../../otlp/json/read-json.ts";
import type { DocumentResult } from "../../../otlp/read-result.ts";
import { readZstdFrames } from "../../body/zstd-frames.ts";
import { compressionOf } from "../files/byte-source.ts";
import { MAX_RECORD } from "../files/window.ts";

const BRACE = 123;

export function readJsonRecord(body: Uint8Array): DocumentResult {
  return isUtf8(body) ? readDocumentJson(body, true) : { ok: false, message: "invalid UTF-8", offset: 0 };
}

/** Reads one record of a binary file: protobuf or JSON. */
export function readBinaryRecord(body: Uint8Array): DocumentResult {
  return body[0] === BRACE ? readJsonRecord(body) : readDocument(body);
}

/** Decompresses one record. The Collector's file exporter compresses each record separately. Throws if decompression fails. */
export function inflateRecord(body: Uint8Array): Uint8Array {
  const compression = compressionOf(body);
  if (compression === "gzip") return zlib.gunzipSync(body, { maxOutputLength: MAX_RECORD });
  return compression === "zstd" ? unzstd(body) : body;
}

function unzstd(body: Uint8Array): Uint8Array {
  const frames = readZstdFrames(body);
  if (typeof frames === "string") throw new Error(frames);
  if (frames.window > MAX_RECORD)
    throw new Error(`the record is larger than ${MAX_RECORD >> 20} MiB after decompression`);
  const pieces: Uint8Array[] = [];
  let length = 0;
  const decompress = new Decompress((piece) => {
    pieces.push(piece);
    length += piece.length;
    if (length > MAX_RECORD)
      throw new Error(`the record is larger than ${MAX_RECORD >> 20} MiB after decompression`);
  });
  decompress.push(body, true);
  return Buffer.concat(pieces, length);
}
