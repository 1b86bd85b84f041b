import { openSource } from "../files/byte-source.ts";
import { DumpError, type DumpPath } from "../files/paths.ts";
import type { Spool } from "../files/spool.ts";
import { convertDump } from "./convert.ts";
import { isParquet, unpackParquet } from "./unpack-parquet.ts";

/** Patterns that match exports of other stores, and never OTLP. */
const marks: readonly RegExp[] = [
  // Jaeger
  /"traceID"\s*:/,
  // Tempo, and Jaeger's newer interface
  /^[\s[]*\{\s*"(?:trace|result)"\s*:\s*\{\s*"(?:resourceSpans|batches)"/,
  /^[\s[]*\{\s*"batches"\s*:\s*\[/,
  // Phoenix
  /"context"\s*:\s*\{[^}]*"trace_id"/,
  /^[\s[]*\{\s*"(?:next_cursor|data)"\s*:[^{]*\{[^]*"(?:trace_id|traceId)"/,
  // ClickHouse
  /"SpanAttributes"\s*:\s*\{/,
  // MLflow
  /"start_time_unix_nano"\s*:\s*\d[^]*"attributes"\s*:\s*\{/,
  /"(?:trace_info|info)"\s*:\s*\{[^]*"mlflow\./,
  // Langfuse
  /"observations"\s*:\s*\[/,
  /"(?:traceId|trace_id)"[^]*"type"\s*:\s*"[A-Z]+"/,
  /"type"\s*:\s*"[A-Z]+"[^]*"(?:traceId|trace_id)"/,
];

/** Matches a span or log record that has no OTLP envelope, and whose `attributes` are an object. */
const SDK =
  /"span_?id"\s*:[^]*"attributes"\s*:\s*\{|"attributes"\s*:\s*\{[^]*"span_?id"\s*:|"message"\s*:\s*"\{\\"/i;
/** Matches an OTLP document at any place. */
const ANY_OTLP = /"resource_?(?:spans|logs|metrics)"\s*:/i;
/** Matches the beginning of an OTLP document. */
const OTLP = /^[\s[\ufeff]*\{\s*"resource_?(?:spans|logs|metrics)"/i;
/** Matches a trace id that is not hex: base64, or a word in a trace that was written by hand. */
const OTHER_ID = /"trace_?id"\s*:\s*"(?=[0-9a-f]*[^0-9a-f"])[^"\\]{1,64}"/i;

/** Whether a file that begins with `head` is an export of another store, which must be converted to OTLP. */
function isStoreDump(head: string): boolean {
  if (!/^[\s[\ufeff]*\{/.test(head)) return false;
  if (OTLP.test(head)) return OTHER_ID.test(head);
  return marks.some((mark) => mark.test(head)) || (SDK.test(head) && !ANY_OTLP.test(head));
}

const HEAD_BYTES = 1 << 16;
/** Maximum size of a store's export in bytes. The whole file is read into memory. */
const MOST_BYTES = 256 << 20;

/**
 * Converts an export of another store (Jaeger, Tempo, Phoenix, Langfuse, MLflow, ClickHouse, Parquet rows) into a temporary OTLP file. Any
 * other file is returned unchanged.
 * @throws DumpError if the file is too large to convert
 */
export async function unpackStored(file: DumpPath, spool: Spool): Promise<DumpPath> {
  try {
    const head = await read(file, HEAD_BYTES);
    if (isParquet(head)) return await unpackParquet(file, spool);
    if (!isStoreDump(head.toString("utf8"))) return file;
  } catch (error) {
    if (error instanceof DumpError) throw error;
    // The error is reported when the unchanged file is read as a dump.
    return file;
  }
  const bytes = await read(file, MOST_BYTES + 1).catch(() => undefined);
  if (bytes === undefined) return file;
  if (bytes.length > MOST_BYTES) {
    throw new DumpError(
      `${file.name}: the export of another store is larger than ${MOST_BYTES >> 20} MiB: export it in parts`,
    );
  }
  const converted = convertDump(bytes.toString("utf8"));
  if (converted === undefined) return file;
  const kept = spool.write(converted.documents.map((document) => `${JSON.stringify(document)}\n`));
  return { ...file, ...kept, named: true, invalid: converted.invalid };
}

async function read({ path }: DumpPath, most: number): Promise<Buffer> {
  const source = openSource(path);
  try {
    const pieces: Buffer[] = [];
    for (let length = 0; length < most;) {
      const piece = Buffer.allocUnsafe(Math.min(most - length, 4 << 20));
      const count = await source.read(piece, 0);
      if (count === 0) break;
      pieces.push(piece.subarray(0, count));
      length += count;
    }
    return Buffer.concat(pieces);
  } finally {
    source.close();
  }
}
