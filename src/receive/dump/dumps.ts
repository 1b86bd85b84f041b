import { createReadStream, statSync } from "node:fs";
import { resolve } from "node:path";
import type { Readable } from "node:stream";
import type { DumpItem } from "./dump-item.ts";
import { indexDump } from "./index-dump.ts";
import { LastPositions } from "./last-positions.ts";
import { type DumpPath, findDumps } from "./paths.ts";
import { DumpReader } from "./read-dump.ts";
import { Spool } from "./spool.ts";
import { unpackStored } from "./stored/unpack.ts";

/**
 * Opens dumps: files, folders, patterns, and `-` for standard input; of OTLP, or what other stores gave out. What can be read only once
 * (standard input, a pipe) is put into a temporary file first. Throws a `DumpError` for a name that leads nowhere. Call `close` in the end.
 */
export async function openDumps(names: readonly string[], stdin: Readable = process.stdin): Promise<Dumps> {
  const spool = new Spool();
  try {
    const files: DumpPath[] = [];
    for (const name of names) {
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
  const stat = statSync(name, { throwIfNoEntry: false });
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

/** Telemetry in files. May be read more than once, each time the same. */
export class Dumps {
  readonly files: readonly DumpPath[];
  readonly #spool: Spool;
  /** Bytes in the files before each, and in all; known after `lastPositions`. */
  #bases: readonly number[] = [];

  constructor(files: readonly DumpPath[], spool: Spool) {
    this.files = files;
    this.#spool = spool;
  }

  /** Bytes on disk; compressed files hold more. */
  get size(): number {
    return this.files.reduce((sum, file) => sum + file.size, 0);
  }

  /** Bytes in all files after decompression, which positions count; undefined before `lastPositions`. */
  get length(): number | undefined {
    return this.#bases[this.files.length];
  }

  /**
   * The first pass of a replay, at a fraction of the cost of reading: where each trace occurs last. While reading, `take(position)` of the
   * answer then gives the traces that are finished.
   */
  async lastPositions(): Promise<LastPositions> {
    const positions = new LastPositions();
    const bases = [0];
    let base = 0;
    for (const file of this.files) {
      base += await indexDump(file, base, positions);
      bases.push(base);
    }
    this.#bases = bases;
    return positions;
  }

  /** Reads all files, by stretches of some megabytes; the items of a stretch are read one by one, as they are asked for. */
  async *read(): AsyncGenerator<Iterable<DumpItem>> {
    let base = 0;
    for (const [index, file] of this.files.entries()) {
      const { name, invalid = [] } = file;
      yield invalid.map((problem) => ({ kind: "invalid", file: name, ...problem }));
      const reader = new DumpReader(file, this.#bases[index] ?? base);
      yield* reader.read();
      base += reader.length;
    }
  }

  /** Removes the temporary files. */
  close(): void {
    this.#spool.remove();
  }
}
