import { createReadStream } from "node:fs";
import { resolve } from "node:path";
import type { Readable } from "node:stream";
import type { DumpItem } from "./records/dump-item.ts";
import { indexDump } from "./index/index-dump.ts";
import { LastPositions } from "./index/last-positions.ts";
import { DumpError, type DumpPath, findDumps } from "./files/paths.ts";
import type { ReadingShare } from "./reading-share.ts";
import { DumpReader } from "./read-dump.ts";
import { Spool } from "./files/spool.ts";
import { openSource } from "./files/byte-source.ts";
import { convertDump } from "./stored/convert.ts";
import { statIfExists } from "./files/stat-if-exists.ts";
import { isParquet, unpackParquet } from "./stored/unpack-parquet.ts";

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
/** Matches an OTLP document anywhere in a text. */
const ANY_OTLP = /"resource_?(?:spans|logs|metrics)"\s*:/i;
/** Matches a text that begins with an OTLP document. */
const OTLP = /^[\s[\ufeff]*\{\s*"resource_?(?:spans|logs|metrics)"/i;
/** Matches a trace id that is not hex digits: base64, or a word in a trace that a person wrote. */
const OTHER_ID = /"trace_?id"\s*:\s*"(?=[0-9a-f]*[^0-9a-f"])[^"\\]{1,64}"/i;

/** Whether the beginning of a file contains OTLP, or an export of another store. */
export function looksLikeDump(head: string): boolean {
  return [ANY_OTLP, SDK, ...marks].some((mark) => mark.test(head));
}

const HEAD_BYTES = 1 << 16;
/** Maximum size in bytes of a store's export in JSON, because the complete export is read into memory. Parquet files have no limit. */
const MOST_BYTES = 256 << 20;

/**
 * Downloads telemetry from an address into temporary files. Returns undefined if `name` is not an address.
 */
export type DumpFetcher = (name: string, spool: Spool) => Promise<readonly DumpPath[]> | undefined;

export interface OpenDumpsOptions {
  readonly stdin: Readable;
  /** Downloads telemetry if `name` is the address of a store. Without a fetcher, only files are read. */
  readonly fetcher: DumpFetcher;
}

/**
 * Opens dumps by name: files, folders, patterns, or `-` for standard input. A dump contains OTLP or an export of another store. Input that
 * can be read only once is copied to a temporary file. The caller must `close` the result.
 * @throws DumpError if a name matches nothing, or an export of another store cannot be converted
 */
export async function openDumps(
  names: readonly string[],
  { stdin = process.stdin, fetcher = () => undefined }: Partial<OpenDumpsOptions> = {},
): Promise<Dumps> {
  const spool = new Spool();
  try {
    const files: DumpPath[] = [];
    for (const name of names) {
      const fetched = await fetcher(name, spool);
      if (fetched !== undefined) {
        files.push(...fetched);
        continue;
      }
      const stream = name === "-" ? stdin : pipeOf(name);
      if (stream === undefined) files.push(...(await findDumps(name)));
      else files.push({ name, named: true, ...(await spool.take(stream)) });
    }
    const unpacked: DumpPath[] = [];
    for (const file of withoutRepeats(files)) unpacked.push(await unpackStored(file, spool));
    return new Dumps(unpacked, spool);
  } catch (error) {
    spool.remove();
    throw error;
  }
}

function pipeOf(name: string): Readable | undefined {
  const stat = statIfExists(name);
  return stat?.isFIFO() === true || stat?.isCharacterDevice() === true ? createReadStream(name) : undefined;
}

function withoutRepeats(files: readonly DumpPath[]): DumpPath[] {
  const found = new Map<string, DumpPath>();
  for (const file of files) {
    const path = resolve(file.path);
    if (file.named || !found.has(path)) found.set(path, file);
  }
  return [...found.values()];
}

/** A set of files with telemetry, which can be read several times with the same result. */
export class Dumps {
  readonly files: readonly DumpPath[];
  readonly #spool: Spool;
  /** Number of decompressed bytes before each file, followed by that of all files. Empty until `lastPositions` was called. */
  #bases: readonly number[] = [];

  /** @param bases decompressed bytes before each file, if known */
  constructor(files: readonly DumpPath[], spool: Spool, bases: readonly number[] = []) {
    this.files = files;
    this.#spool = spool;
    this.#bases = bases;
  }

  /** Number of decompressed bytes before each file, followed by that of all files. Empty until `lastPositions` was called. */
  get bases(): readonly number[] {
    return this.#bases;
  }

  /** Size of the files on disk in bytes, before decompression. */
  get size(): number {
    return this.files.reduce((sum, file) => sum + file.size, 0);
  }

  /**
   * Number of decompressed bytes of all files; undefined until `lastPositions` was called. Positions in the dumps are offsets in these
   * bytes.
   */
  get length(): number | undefined {
    return this.#bases[this.files.length];
  }

  /**
   * Finds the last position of each trace id, which is much cheaper than decoding. A replay calls it first, in a pass of its own. While the
   * dumps are then read, `take(position)` of the result returns the traces that are complete at a position.
   */
  async lastPositions(isShared = false): Promise<LastPositions> {
    const positions = new LastPositions(isShared);
    const bases = [0];
    let base = 0;
    for (const [number, file] of this.files.entries()) {
      positions.beginFile(number, base);
      base += await indexDump(file, base, positions);
      bases.push(base);
    }
    this.#bases = bases;
    return positions;
  }

  /**
   * Reads all files in chunks, usually of half a megabyte; with `share`, only the records of one of several readers. The items of a chunk
   * are decoded as the caller iterates over them.
   */
  async *read(share?: ReadingShare): AsyncGenerator<Iterable<DumpItem>> {
    let base = 0;
    for (const [index, file] of this.files.entries()) {
      const { name, invalid = [] } = file;
      const from = this.#bases[index] ?? base;
      if (share?.owns(from) !== false)
        yield invalid.map((problem) => ({ kind: "invalid", file: name, ...problem }));
      if (share?.wants(from, this.#bases[index + 1] ?? Infinity) === false) continue;
      const reader = new DumpReader(file, from, share && { share, number: index });
      yield* reader.read();
      base += reader.length;
    }
  }

  /** Removes the temporary files. */
  close(): void {
    this.#spool.remove();
  }
}

/**
 * Whether a file that begins with `head` must be converted: an export of another store, SDK output without OTLP's envelope, or OTLP
 * with trace ids that are not hex.
 */
function isStoreDump(head: string): boolean {
  if (!/^[\s[\ufeff]*\{/.test(head)) return false;
  if (OTLP.test(head)) return OTHER_ID.test(head);
  return marks.some((mark) => mark.test(head)) || (SDK.test(head) && !ANY_OTLP.test(head));
}

/**
 * Converts an export of another store (Jaeger, Tempo, Phoenix, Langfuse, MLflow, ClickHouse, Parquet rows), or spans and log records of an
 * SDK without OTLP's envelope, into a temporary OTLP file. Any other file is returned unchanged.
 * @throws DumpError if the file is too large to convert, or is a Parquet file that is damaged or has unknown columns
 */
async function unpackStored(file: DumpPath, spool: Spool): Promise<DumpPath> {
  try {
    const head = await read(file, HEAD_BYTES);
    if (isParquet(head)) return await unpackParquet(file, spool);
    if (!isStoreDump(head.toString("utf8"))) return file;
  } catch (error) {
    if (error instanceof DumpError) throw error;
    // The unchanged file is later read as a dump, which reports the error.
    return file;
  }
  const bytes = await read(file, MOST_BYTES + 1).catch(() => undefined);
  if (bytes === undefined) return file;
  if (bytes.length > MOST_BYTES) {
    throw new DumpError(
      `${file.name}: the file is an export of another store and larger than ${MOST_BYTES >> 20} MiB: export it as several files`,
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
