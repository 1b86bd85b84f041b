import { ATTRIBUTE_WIDTH, EVENT_WIDTH, LINK_WIDTH } from "./columns.ts";

/** Maximum number of ints of an array that a table reuses for the next request. `reset` replaces a larger array. */
const KEEP = 1 << 20;

/** A growing table of ints for one request. Its memory is reused for the next request. */
export class Table {
  data: Int32Array;
  /** Number of used ints. */
  size = 0;
  private readonly first: number;
  /** Number of ints that fit without growing: the length of `data`, or the limit if that is lower. */
  private room: number;
  private limit = Infinity;

  constructor(ints: number) {
    this.first = ints;
    this.data = new Int32Array(ints);
    this.room = ints;
  }

  /** Adds `width` ints, whose content is undefined. Returns the position of the first added int; -1 if the limit is reached. */
  claim(width: number): number {
    const at = this.size;
    const size = at + width;
    if (size > this.room && !this.grow(size)) return -1;
    this.size = size;
    return at;
  }

  /** Empties the table for a request that may add at most `limit` ints. */
  reset(limit: number): void {
    if (this.data.length > KEEP) this.data = new Int32Array(this.first);
    this.size = 0;
    this.limit = limit;
    this.room = Math.min(this.data.length, limit);
  }

  copyTo(target: Int32Array, at: number): void {
    if (this.size > 0) target.set(this.data.subarray(0, this.size), at);
  }

  private grow(size: number): boolean {
    if (size > this.limit) return false;
    if (size > this.data.length) {
      const larger = new Int32Array(Math.max(size, this.data.length * 2));
      larger.set(this.data);
      this.data = larger;
    }
    this.room = Math.min(this.data.length, this.limit);
    return true;
  }
}

export class RowTables {
  readonly spans = new Table(16_384);
  readonly rare = new Table(2_048);
  readonly logs = new Table(4_096);
  readonly resources = new Table(64);
  readonly scopes = new Table(128);
  readonly events = new Table(1_024);
  readonly links = new Table(256);
  readonly attributes = new Table(32_768);
  readonly eventAttributes = new Table(2_048);

  /**
   * Empties all tables and sets their limits. There may be one attribute row for each 8 bytes of the body, and 1,024 more. There may be one
   * event or link row for each 16 bytes, and 1,024 more. Every attribute with a name and a value is larger than 8 bytes, and every event
   * with a time and a name larger than 16. Without limits, a body of empty attributes could create rows of many times its size. Rows above
   * a limit are dropped, and each span counts the rows that it lost.
   */
  reset(bodyLength: number): void {
    const attributes = ((bodyLength >> 3) + 1024) * ATTRIBUTE_WIDTH;
    this.spans.reset(Infinity);
    this.rare.reset(Infinity);
    this.logs.reset(Infinity);
    this.resources.reset(Infinity);
    this.scopes.reset(Infinity);
    this.events.reset(((bodyLength >> 4) + 1024) * EVENT_WIDTH);
    this.links.reset(((bodyLength >> 4) + 1024) * LINK_WIDTH);
    this.attributes.reset(attributes);
    this.eventAttributes.reset(attributes);
  }
}
