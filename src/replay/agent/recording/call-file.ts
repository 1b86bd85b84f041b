import { randomUUID } from "node:crypto";
import {
  closeSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readSync,
  unlinkSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SpanPlace } from "../../../model-server/record/call-span.ts";
import { makePrivateFile, PRIVATE_FILE } from "../../../support/process/private-files.ts";

/** Where a line is in its file, in bytes. */
export interface LinePosition {
  readonly start: number;
  readonly length: number;
  /** Where the ids of its span are, from the start of the line; 0 for a line without a span of a model call. */
  readonly ids: number;
}

/** Blanks as long as a `parentSpanId` field, which is later written in their place. */
const NO_PARENT = " ".repeat(`"parentSpanId":"${"0".repeat(16)}",`.length);

/** The ids of a span in OTLP/JSON: equally long for every place. */
function idsText({ traceId, spanId, parentSpanId }: SpanPlace): string {
  const parent = parentSpanId === null ? NO_PARENT : `"parentSpanId":"${parentSpanId}",`;
  return `"traceId":"${traceId}","spanId":"${spanId}",${parent}`;
}

/**
 * A file to which lines of OTLP/JSON are appended while an agent runs. Where the span of a model call stands among
 * the agent's own spans is known later, and then written over the ids of its line.
 */
export class CallFile {
  readonly #appending: number;
  readonly #changing: number;
  #isOpen = true;

  private constructor(path: string) {
    makePrivateFile(path);
    this.#appending = openSync(path, "a", PRIVATE_FILE);
    // Bytes that are written to a file opened for appending land at its end, whatever their position.
    this.#changing = openSync(path, "r+");
  }

  /** The end of a dump. */
  static at(path: string): CallFile {
    return new CallFile(path);
  }

  /** A file that no path leads to, which ends with the process. */
  static temporary(): CallFile {
    const path = join(tmpdir(), `tracejury-${randomUUID()}`);
    const file = new CallFile(path);
    unlinkSync(path);
    return file;
  }

  /**
   * Appends a line with one span.
   * @param request OTLP/JSON of a root span with these ids
   * @throws when the line cannot be written
   */
  add(request: string, place: SpanPlace): LinePosition {
    const bare = `"traceId":"${place.traceId}","spanId":"${place.spanId}",`;
    const at = request.indexOf(bare);
    const before = request.slice(0, at);
    const position = this.append(`${before}${idsText(place)}${request.slice(at + bare.length)}`);
    return { ...position, ids: Buffer.byteLength(before) };
  }

  /**
   * Appends a line of any content.
   * @throws when the line cannot be written
   */
  append(text: string): LinePosition {
    this.#assertOpen();
    const line = `${text}\n`;
    const start = fstatSync(this.#appending).size;
    try {
      writeFileSync(this.#appending, line);
    } catch (error) {
      // The part of a line on a full disk would make the next line unreadable.
      ftruncateSync(this.#appending, start);
      throw error;
    }
    return { start, length: Buffer.byteLength(line), ids: 0 };
  }

  /** Writes the place of a span over that in its line. */
  place({ start, ids }: LinePosition, place: SpanPlace): void {
    const text = idsText(place);
    const known = this.#bytes(start + ids, text.length).toString();
    // Another process may have appended to the same dump at the same moment.
    if (known.includes(`"spanId":"${place.spanId}"`)) writeSync(this.#changing, text, start + ids);
  }

  /** A line without its end. */
  read({ start, length }: LinePosition): string {
    return this.#bytes(start, length - 1).toString();
  }

  /** Changes a line. The changed text has as many bytes as before. */
  change({ start, length }: LinePosition, changed: (line: string) => string): void {
    const line = this.#bytes(start, length);
    const text = line.toString();
    const bytes = Buffer.from(changed(text));
    if (bytes.length === length && !bytes.equals(line)) writeSync(this.#changing, bytes, 0, length, start);
  }

  #bytes(start: number, length: number): Buffer {
    this.#assertOpen();
    const bytes = Buffer.alloc(length);
    return bytes.subarray(0, readSync(this.#changing, bytes, 0, length, start));
  }

  /** Closing the file again does nothing: its descriptors may belong to other files by then. */
  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    closeSync(this.#appending);
    closeSync(this.#changing);
  }

  /** @throws Error if the file is closed */
  #assertOpen(): void {
    if (!this.#isOpen) throw new Error("the file of model calls is closed");
  }
}
