import { closeSync, openSync, readSync } from "node:fs";
import { isArray, isObject, type JsonObject, type JsonValue } from "../../../model/json.ts";
import { DumpError, type DumpPath } from "../files/paths.ts";
import type { Spool } from "../files/spool.ts";
import { convertAnswers, type StoredInvalid } from "./convert.ts";
import { shown } from "./stored-span.ts";

const PREFIX = "attributes.";

/** Whether a file with these first bytes is a Parquet file. */
export function isParquet(head: Uint8Array): boolean {
  return head[0] === 0x50 && head[1] === 0x41 && head[2] === 0x52 && head[3] === 0x31;
}

/**
 * Converts a Parquet file into a temporary OTLP file. The Parquet file must have the columns of ClickHouse's `otel_traces`, or of Phoenix's
 * data frame. One row group is in memory at a time.
 * @throws DumpError if the file is damaged or has other columns
 */
export async function unpackParquet(file: DumpPath, spool: Spool): Promise<DumpPath> {
  const { parquetMetadataAsync, parquetReadObjects } = await import("hyparquet");
  const { compressors } = await import("hyparquet-compressors");
  const descriptor = openSync(file.path, "r");
  const source = {
    byteLength: file.size,
    slice: (start: number, end = file.size): ArrayBuffer => readRange(descriptor, start, end),
  };
  const parsers = {
    timestampFromMilliseconds: (ms: bigint): bigint => ms * 1_000_000n,
    timestampFromMicroseconds: (microseconds: bigint): bigint => microseconds * 1000n,
    timestampFromNanoseconds: (nanoseconds: bigint): bigint => nanoseconds,
  };
  const output = spool.open();
  const invalid: StoredInvalid[] = [];
  try {
    const metadata = await parquetMetadataAsync(source);
    let rowStart = 0;
    let isKnown = metadata.num_rows === 0n;
    for (const group of metadata.row_groups) {
      const rowEnd = rowStart + Number(group.num_rows);
      const rows = await parquetReadObjects({
        file: source,
        metadata,
        compressors,
        parsers,
        rowStart,
        rowEnd,
      });
      const converted = convertAnswers(rows.map((row): JsonObject => parquetRow(plain(row) as JsonObject)));
      for (const document of converted.documents) output.write(`${JSON.stringify(document)}\n`);
      for (const { line, reason } of converted.invalid) invalid.push({ line: rowStart + line, reason });
      isKnown ||= converted.documents.length + converted.invalid.length > 0;
      rowStart = rowEnd;
    }
    if (!isKnown)
      throw new DumpError(
        `${file.name}: the columns are neither those of ClickHouse's otel_traces nor those of Phoenix's data frame`,
      );
    return { ...file, path: output.path, size: output.size, named: true, invalid };
  } catch (error) {
    if (error instanceof DumpError) throw error;
    throw new DumpError(
      `${file.name}: not a complete Parquet file: ${error instanceof Error ? error.message : ""}`,
    );
  } finally {
    output.close();
    closeSync(descriptor);
  }
}

function readRange(descriptor: number, start: number, end: number): ArrayBuffer {
  const bytes = new Uint8Array(end - start);
  readSync(descriptor, bytes, 0, bytes.length, start);
  return bytes.buffer;
}

/** Converts a Parquet value into a JSON value; large integers become text. */
function plain(value: unknown): JsonValue {
  if (typeof value === "bigint") return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  if (typeof value === "number" || typeof value === "string" || typeof value === "boolean") return value;
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
  if (Array.isArray(value)) return value.map(plain);
  if (ArrayBuffer.isView(value))
    return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString("hex");
  if (typeof value !== "object" || value === null) return null;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, plain(inner)]));
}

/** Converts a row of Phoenix's data frame into a span of Phoenix's API. Returns other rows unchanged. */
function parquetRow(row: JsonObject): JsonObject {
  const traceId = row["context.trace_id"];
  if (typeof traceId !== "string") return row;
  const attributes = Object.entries(row).flatMap(([key, value]): [string, JsonValue][] =>
    key.startsWith(PREFIX) && value !== null ? [[key.slice(PREFIX.length), value]] : [],
  );
  const { events } = row;
  return {
    ...row,
    context: { trace_id: traceId, span_id: row["context.span_id"] ?? null },
    name: shown(row["name"]),
    start_time: dateOf(row["start_time"]),
    end_time: dateOf(row["end_time"]),
    events: (isArray(events) ? events.filter(isObject) : []).map((event) => ({
      ...event,
      timestamp: dateOf(event["timestamp"]),
    })),
    attributes: Object.fromEntries(attributes),
  };
}

/** Converts nanoseconds since 1970 into an ISO 8601 date with all digits. Returns a date unchanged. */
function dateOf(value: JsonValue | undefined): JsonValue {
  const text = shown(value);
  if (!/^\d{15,20}$/.test(text)) return value ?? null;
  const nanos = BigInt(text);
  const date = new Date(Number(nanos / 1_000_000n)).toISOString().slice(0, -1);
  return `${date}${String(nanos % 1_000_000n).padStart(6, "0")}Z`;
}
