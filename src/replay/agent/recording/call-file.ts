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

/** Position of a line in its file, in bytes. */
export interface LinePosition {
  readonly start: number;
  readonly length: number;
  /** Offset of the span's ids in the line; 0 if the line has no span of a model call. */
  readonly ids: number;
}

/** Blanks that reserve space for a `parentSpanId` field, which may be written later. */
const NO_PARENT = " ".repeat(`"parentSpanId":"${"0".repeat(16)}",`.length);

/** Returns the ids of a span as OTLP/JSON. The text has the same length with and without a parent. */
function idsText({ traceId, spanId, parentSpanId }: SpanPlace): string {
  const parent = parentSpanId === null ? NO_PARENT : `"parentSpanId":"${parentSpanId}",`;
  return `"traceId":"${traceId}","spanId":"${spanId}",${parent}`;
}

/**
 * A file to which lines of OTLP/JSON are appended while an agent runs. The agent's own spans, which arrive later, show the trace and parent
 * of a model call; `place` then overwrites the ids in the call's line.
 */
export class CallFile {
  readonly #appending: number;
  readonly #changing: number;
  #isOpen = true;

  private constructor(path: string) {
    makePrivateFile(path);
    this.#appending = openSync(path, "a", PRIVATE_FILE);
    // A second descriptor is needed to overwrite ids: a write through the first, which was opened for appending, ignores the position.
    this.#changing = openSync(path, "r+");
  }

  /** Opens a dump for appending lines. */
  static at(path: string): CallFile {
    return new CallFile(path);
  }

  /** Opens a temporary file without a name, which disappears when the process ends. */
  static temporary(): CallFile {
    const path = join(tmpdir(), `tracejury-${randomUUID()}`);
    const file = new CallFile(path);
    unlinkSync(path);
    return file;
  }

  /**
   * Appends a line with one span.
   * @param request OTLP/JSON of a span without a parent, which has the trace id and span id of `place`
   * @throws if the write fails
   */
  add(request: string, place: SpanPlace): LinePosition {
    const bare = `"traceId":"${place.traceId}","spanId":"${place.spanId}",`;
    const at = request.indexOf(bare);
    const before = request.slice(0, at);
    const position = this.append(`${before}${idsText(place)}${request.slice(at + bare.length)}`);
    return { ...position, ids: Buffer.byteLength(before) };
  }

  /**
   * Appends a line with any content.
   * @throws if the write fails
   */
  append(text: string): LinePosition {
    this.#assertOpen();
    const line = `${text}\n`;
    const start = fstatSync(this.#appending).size;
    try {
      writeFileSync(this.#appending, line);
    } catch (error) {
      // Removes a partial line, for example after a write to a full disk, because it would make the next line unreadable.
      ftruncateSync(this.#appending, start);
      throw error;
    }
    return { start, length: Buffer.byteLength(line), ids: 0 };
  }

  /** Overwrites the ids of a span in its line. */
  place({ start, ids }: LinePosition, place: SpanPlace): void {
    const text = idsText(place);
    const known = this.#bytes(start + ids, text.length).toString();
    // Writes only if the expected span is at this offset. If another process has written to the same dump, the line may be at another
    // offset.
    if (known.includes(`"spanId":"${place.spanId}"`)) writeSync(this.#changing, text, start + ids);
  }

  /** Returns a line without its line break. */
  read({ start, length }: LinePosition): string {
    return this.#bytes(start, length - 1).toString();
  }

  /** Replaces a line by a text of the same length. Writes nothing if the length differs. */
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

  /** Closes the file. A second call does nothing, because the operating system may have reused the descriptors for other files. */
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
