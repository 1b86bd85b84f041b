import { FramedRecords, RawRecord } from "./records/binary-records.ts";
import { openSource } from "./files/byte-source.ts";
import type { DumpItem } from "./records/dump-item.ts";
import { type Form, formOf, resembles } from "./records/form.ts";
import { JsonRecords } from "./records/json-records.ts";
import type { DumpPath } from "./files/paths.ts";
import type { ReadingShare, RecordShare } from "./reading-share.ts";
import type { Found, Splitter } from "./records/splitter.ts";
import { Window } from "./files/window.ts";
import { messageOf } from "../../support/structures/error-message.ts";

const NO_TELEMETRY =
  "not OTLP: the document has none of resourceSpans, resourceLogs, resourceMetrics; docs/dumps.md lists the formats";

const NO_OTLP =
  "the file is not OTLP: neither JSON nor a protobuf request of traces, logs or metrics; docs/dumps.md lists the formats";

/** Formats that look like telemetry but are not read. Each has a text that tells the user what to do instead. */
const foreignFormats: readonly (readonly [form: RegExp, advice: string])[] = [
  [
    /"run_type"\s*:\s*"/,
    "runs of LangSmith's API are not supported: let the program send OTLP (docs/agents/langsmith.md)",
  ],
  [/"localEndpoint"\s*:\s*\{/, "Zipkin's format is not supported: send the traces with an OTLP exporter"],
  [
    /^\{\s*resource: \{/,
    "the text is the output of JavaScript's console exporter, not JSON: use an OTLP exporter",
  ],
];
const FORM_BYTES = 4096;

/**
 * Maximum number of records that are not OTLP before the first OTLP record, in a file that was found in a folder. Programs often write
 * other lines at the beginning of their output.
 */
const MOST_UNKNOWN = 100;

/** The part of the dumps that one reader decodes, and the number of the file. */
interface SharedReading {
  readonly share: ReadingShare;
  readonly number: number;
}

export class DumpReader {
  readonly #dump: DumpPath;
  readonly #base: number;
  readonly #shared: SharedReading | undefined;
  /** Whether the file is known to be OTLP: the user named it, or a record was decoded. */
  #recognised: boolean;
  #foreign = false;
  /** Errors of the records that were read before `#recognised` became true. An entry is undefined if another reader reports the error. */
  #unknown: (DumpItem | undefined)[] = [];
  /** Whether any record was decoded as OTLP. */
  #isAnyRead = false;
  #line = 0;
  /** Number of decompressed bytes that were read from the file into the window. */
  #read = 0;
  /** Number of decompressed bytes of the file; 0 until `read` has ended. */
  length = 0;

  /** @param base number of decompressed bytes in the files before this file */
  constructor(dump: DumpPath, base: number, shared?: SharedReading) {
    this.#dump = dump;
    this.#base = base;
    this.#shared = shared;
    this.#recognised = dump.named;
  }

  /** Reads the file in chunks, usually of half a megabyte. The items of a chunk are decoded as the caller iterates over them. */
  async *read(): AsyncGenerator<Iterable<DumpItem>> {
    let close = (): void => undefined;
    try {
      const source = openSource(this.#dump.path);
      close = () => source.close();
      yield* this.#chunks(new Window(source, this.#dump.size));
      yield* this.#skipped();
    } catch (error) {
      if (this.#owns(this.#read)) yield [this.#invalid(this.#line + 1, messageOf(error))];
    } finally {
      close();
    }
  }

  async *#chunks(window: Window): AsyncGenerator<Iterable<DumpItem>> {
    const broken = await problemOf(window.fill());
    const head = window.buffer.subarray(0, window.end);
    const form = formOf(head, window.ended);
    if (isUtf16(head)) {
      if (this.#owns(0)) yield [this.#invalid(1, "the text is UTF-16: save it as UTF-8")];
    } else if (form !== "empty") yield* this.#windows(window, form);
    this.length = window.position(window.end);
    if (broken !== undefined) throw broken;
  }

  async *#windows(window: Window, form: Form): AsyncGenerator<Iterable<DumpItem>> {
    const splitter = splitterOf(form, window, this.#records(window));
    for (;;) {
      this.#read = window.position(window.end);
      yield this.#items(splitter, window, form);
      if (this.#foreign || window.ended) return;
      if (this.#shared?.share.wants(this.#base + window.position(window.start), Infinity) === false) return;
      const broken = await problemOf(window.fill());
      this.#read = window.position(window.end);
      if (broken === undefined) continue;
      yield this.#items(splitter, window, form);
      throw broken;
    }
  }

  *#items(splitter: Splitter, window: Window, form: Form): Generator<DumpItem> {
    for (const found of splitter.records()) {
      this.#line = found.line;
      const item = this.#item(found, window, form);
      if (this.#recognised) yield* this.#takeUnknown();
      if (item !== undefined) yield item;
      if (this.#foreign) return;
    }
  }

  *#takeUnknown(): Generator<DumpItem> {
    for (const item of this.#unknown.splice(0)) if (item !== undefined) yield item;
  }

  /**
   * Returns the item that reports a file without OTLP. If several readers share the file, only the reader that decodes the file's first
   * record returns the item; for other readers, the result is empty.
   */
  #skipped(): DumpItem[][] {
    const [first] = this.#unknown;
    return first === undefined ? [] : [[{ kind: "skipped", file: this.#dump.name, reason: NO_TELEMETRY }]];
  }

  /**
   * Returns which records this reader decodes; undefined for all. Until the file is known to be OTLP, every reader examines all records.
   */
  #records(window: Window): RecordShare | undefined {
    if (this.#shared === undefined) return undefined;
    const { share, number } = this.#shared;
    const mayPass = share.mayPass(number);
    const at = (place: number): number => this.#base + window.position(place);
    return {
      passes: (start, end) => mayPass && this.#recognised && !share.wants(at(start), at(end)),
      spoiled: () => {
        if (mayPass) share.spoiled();
      },
    };
  }

  /** Whether this reader reports an error at this position of the file. */
  #owns(at: number): boolean {
    return this.#shared?.share.owns(this.#base + at) !== false;
  }

  #item(found: Found, window: Window, form: Form): DumpItem | undefined {
    const item = this.#itemOf(found, window, form);
    const owns = this.#owns(window.position(found.start));
    if (item === undefined) return undefined;
    if (this.#recognised) {
      if (owns) return item;
      return item.kind === "batch" ? { ...item, isElsewhere: true } : undefined;
    }
    this.#unknown.push(owns ? item : undefined);
    this.#foreign = this.#unknown.length >= MOST_UNKNOWN;
    return undefined;
  }

  #itemOf(found: Found, window: Window, form: Form): DumpItem | undefined {
    const { result, line, start, end } = found;
    const { name: file } = this.#dump;
    if (result.ok && result.recognised) {
      this.#recognised = true;
      this.#isAnyRead = true;
      const { batch, dataPoints } = result;
      const position = this.#base + window.position(end);
      batch.origin = { file, line };
      return { kind: "batch", batch, dataPoints, position, file, line, isElsewhere: false };
    }
    const record = window.buffer.subarray(start, end);
    if (result.ok && isEmptyObject(record)) return undefined;
    const advice = adviceFor(result.ok ? record : window.buffer.subarray(start, window.end));
    if (advice !== undefined) return this.#invalid(line, advice);
    if (result.ok) return this.#invalid(line, NO_TELEMETRY);
    const isAlike = resembles(form, record);
    const isBinary = form === "raw" || form === "framed";
    const isForeign = this.#recognised && isBinary && !this.#isAnyRead && !isAlike;
    if (isAlike) this.#recognised = true;
    return this.#invalid(line, isForeign ? `${NO_OTLP} (${result.message})` : result.message);
  }

  #invalid(line: number, reason: string): DumpItem {
    return { kind: "invalid", file: this.#dump.name, line, reason };
  }
}

function splitterOf(form: Form, window: Window, share: RecordShare | undefined): Splitter {
  if (form === "framed") return new FramedRecords(window, share);
  return form === "raw" ? new RawRecord(window) : new JsonRecords(window, share);
}

/**
 * Whether the file is UTF-16, which some Windows shells write when output is redirected. A protobuf request never begins with UTF-16's byte
 * order mark.
 */
function isUtf16([first, second]: Uint8Array): boolean {
  return (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
}

/** Returns the text that tells the user what to do with a record of a foreign format; undefined if the format is unknown. */
function adviceFor(record: Uint8Array): string | undefined {
  const head = new TextDecoder().decode(record.subarray(0, FORM_BYTES));
  return foreignFormats.find(([form]) => form.test(head))?.[1];
}

/** Whether the record is `{}`, which an exporter without data writes. */
function isEmptyObject(record: Uint8Array): boolean {
  return record.length < 16 && /^\{\s*\}\s*$/.test(new TextDecoder().decode(record));
}

async function problemOf(work: Promise<void>): Promise<Error | undefined> {
  try {
    await work;
    return undefined;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}
