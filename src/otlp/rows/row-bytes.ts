import { ATTRIBUTE_WIDTH, EVENT_WIDTH, LINK_WIDTH, LOG_WIDTH, RARE_WIDTH, SPAN_WIDTH } from "./columns.ts";
import { Wire } from "../protobuf/protobuf-wire.ts";

const INT = 4;
const RECORD_TAG = 18;
const DEPRECATED_SCOPE_TAG = (1000 << 3) | 2;

/** For each kind of field (attribute, event, link), by its tag: size in bytes of the row that it adds to a span. */
const spanFields: ReadonlyMap<number, number> = new Map([
  [74, ATTRIBUTE_WIDTH * INT],
  [90, EVENT_WIDTH * INT],
  [106, LINK_WIDTH * INT],
]);
const logFields: ReadonlyMap<number, number> = new Map([[50, ATTRIBUTE_WIDTH * INT]]);

/**
 * Returns the maximum memory, in bytes, of the rows for the spans or log records in a protobuf body, without creating the rows. Rows of
 * resources and scopes are not counted, and each span is assumed to have rare fields. Counting stops at invalid bytes, as the reader does,
 * or once the result exceeds `most` bytes.
 */
export function protobufRowBytes(body: Uint8Array, signal: "traces" | "logs", most = Infinity): number {
  const count = new Count(body, signal, most);
  try {
    count.containers(0, body.length, 0);
  } catch {
    // The bytes are invalid, or the count exceeds `most`; in both cases counting ends.
  }
  return count.bytes;
}

class Count {
  bytes = 0;
  readonly #wire = new Wire();
  readonly #record: number;
  readonly #most: number;
  readonly #fields: ReadonlyMap<number, number>;

  constructor(body: Uint8Array, signal: "traces" | "logs", most: number) {
    this.#most = most;
    this.#wire.view = new DataView(body.buffer, body.byteOffset, body.byteLength);
    this.#record = (signal === "traces" ? SPAN_WIDTH + RARE_WIDTH : LOG_WIDTH) * INT;
    this.#fields = signal === "traces" ? spanFields : logFields;
  }

  /** Counts the message at [start, end), which at level 0 is the request, at level 1 a resource container, at level 2 a scope container. */
  containers(start: number, end: number, level: number): void {
    this.#each(start, end, (tag, at, next) => {
      const inner = level === 0 ? tag === 10 : tag === RECORD_TAG || tag === DEPRECATED_SCOPE_TAG;
      if (!inner) return;
      if (level < 2) this.containers(at, next, level + 1);
      else {
        this.bytes += this.#record;
        if (this.bytes > this.#most) throw new Error("more than may be counted");
        this.#each(at, next, (field, inside, after) => this.#field(field, inside, after));
      }
    });
  }

  #field(tag: number, at: number, next: number): void {
    const bytes = this.#fields.get(tag);
    if (bytes === undefined) return;
    this.bytes += bytes;
    if (tag !== 90) return;
    this.#each(at, next, (inner) => {
      if (inner === 26) this.bytes += ATTRIBUTE_WIDTH * INT;
    });
  }

  /** Calls `field` with the tag of each length-delimited field, and the start and end of its content. */
  #each(start: number, end: number, field: (tag: number, at: number, next: number) => void): void {
    const wire = this.#wire;
    let p = start;
    while (p < end) {
      const first = wire.view.getUint8(p);
      let tag = first;
      let content = p + 1;
      if (first > 127) {
        tag = wire.length(first, p + 1);
        content = wire.at;
      }
      const next = wire.skip(first, p + 1, end, 0);
      if ((tag & 7) === 2) {
        const length = wire.view.getUint8(content);
        if (length > 127) wire.length(length, content + 1);
        field(tag, length > 127 ? wire.at : content + 1, next);
      }
      p = next;
    }
  }
}
