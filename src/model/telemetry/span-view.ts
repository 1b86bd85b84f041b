import type { AttributeKey } from "./attribute-key.ts";
import type { JsonValue } from "../json.ts";
import type { KeyLayout } from "./key-layout.ts";
import type { SourceLine } from "../source-line.ts";

/**
 * A text value as received: UTF-8, in a JSON body with the escapes of a JSON string. Positions are byte
 * offsets in `view`.
 */
export interface TextBytes {
  readonly view: DataView;
  readonly start: number;
  readonly end: number;
  readonly isEscaped: boolean;
  /** Decodes the bytes between two positions, which must be character boundaries. */
  slice(from: number, to: number): string;
  /** Whether the bytes of both texts are equal from a position in each; false if one of them is too short. */
  matches(from: number, other: TextBytes, otherFrom: number, length: number): boolean;
}

/**
 * Typed, lenient access to one attribute set. Values are decoded on first use. A value that is absent or of
 * another type is `undefined`. For duplicate keys the last value counts.
 */
export interface AttributesView {
  /** Number of attributes, including duplicates. */
  readonly size: number;
  /**
   * Layout that is shared with other sets of the same keys in the same order; absent in views without
   * layouts.
   */
  readonly layout?: KeyLayout | undefined;
  has(key: AttributeKey): boolean;
  /** Returns a string value; numbers and booleans are not converted. */
  text(key: AttributeKey): string | undefined;
  /** Returns an int, a double, or a string that is completely a number. */
  number(key: AttributeKey): number | undefined;
  /** Returns a boolean, or the strings "true" and "false" in any case. */
  boolean(key: AttributeKey): boolean | undefined;
  /**
   * Returns any value as JSON: nested arrays and maps, bytes as base64, integers above 2^53 as decimal
   * strings.
   */
  value(key: AttributeKey): JsonValue | undefined;
  /** Returns a value like `value`; a string with JSON is parsed, any other string is unchanged. */
  json(key: AttributeKey): JsonValue | undefined;
  /** Calls `visit` with each declared key in the order received; other keys are skipped. */
  eachKey(visit: (key: AttributeKey) => void): void;
  /** Returns all keys in the order received. */
  keys(): readonly string[];
  /** Returns the value of an undeclared key. This look-up is slower than `value`. */
  named(name: string): JsonValue | undefined;
  /** Returns the key of the attribute at an index, from 0 to `size` - 1, in the order received. */
  nameAt(place: number): string;
  /**
   * Returns a small integer that stands for the key of the attribute at an index, to look up derived data; -1
   * if the key has none. The integer is constant within a process. Absent in views without key numbers.
   */
  nameIdAt?(place: number): number;
  /** Returns the value of the attribute at an index, like `value`. */
  valueAt(place: number): JsonValue | undefined;
  /**
   * Returns the bytes of a long text, so that it can be compared before decoding; absent in views without
   * bytes.
   */
  textBytes?(key: AttributeKey): TextBytes | undefined;
  textBytesAt?(place: number): TextBytes | undefined;
  /**
   * Returns the nested value that indexed keys form: `tree("llm.input_messages")` reads
   * `llm.input_messages.0.message.role`, … as `[{ message: { role } }]`. An object whose keys are all whole
   * numbers is an array. `undefined` if no key has the prefix.
   * @param like an earlier tree of the same prefix; leading items with equal attributes are reused
   */
  tree(prefix: string, like?: AttributeTree): JsonValue | undefined;
}

/** Cached result of `AttributesView.tree`. */
export interface AttributeTree {
  readonly view: AttributesView;
  readonly value: JsonValue | undefined;
}

export interface EventView extends AttributesView {
  readonly name: string;
  readonly timeUnixMs: number;
}

export interface LinkView {
  /** Trace id in lower-case hex. */
  readonly traceId: string;
  readonly spanId: string;
}

/** Status code of a span that its producer declares successful. */
export const SUCCEEDED = 1;

/** A log record with the id of a span, or only of a trace. */
export interface LogView extends AttributesView {
  /** Event name of the record; otherwise the attribute `event.name`, otherwise empty. */
  readonly eventName: string;
  readonly body: JsonValue | undefined;
  readonly severityNumber: number;
  readonly timeUnixMs: number;
  /** Span id in lower-case hex; undefined if the record names only the trace. */
  readonly spanId: string | undefined;
  readonly resource: AttributesView;
  readonly scopeName: string;
}

export const SpanKind = {
  unspecified: 0,
  internal: 1,
  server: 2,
  client: 3,
  producer: 4,
  consumer: 5,
} as const;

/**
 * View of one span for adapters, equal for protobuf, JSON and files. The view is valid while its trace is
 * read.
 */
export interface SpanView extends AttributesView {
  /** Trace id in lower-case hex. */
  readonly traceId: string;
  readonly spanId: string;
  /** Parent span id; undefined for a root span. */
  readonly parentSpanId: string | undefined;
  readonly name: string;
  /** OTLP flags, with W3C trace flags in the lowest 8 bits; 0 or absent if the sender did not set them. */
  readonly flags?: number;
  /** Span kind as an OTLP number; see `SpanKind`. */
  readonly kind: number;
  /** Status code: 0 unset, 1 ok, 2 error. */
  readonly status: number;
  readonly statusMessage: string;
  readonly startUnixMs: number;
  /** End time in milliseconds since 1970; never before `startUnixMs`. */
  readonly endUnixMs: number;
  /** Exact end time in nanoseconds since 1970; milliseconds are rounded. */
  readonly endUnixNano: bigint;
  /** Whether the span reports an end that is not before its start. Without one its duration is unknown. */
  readonly hasEnd: boolean;
  readonly scopeName: string;
  readonly scopeVersion: string;
  /** Position in a dump; absent for a received span. */
  readonly source?: SourceLine | undefined;
  readonly resource: AttributesView;
  readonly events: readonly EventView[];
  readonly links: readonly LinkView[];
  readonly droppedAttributes: number;
  /** Log records with this span's id, in time order. */
  readonly logs: readonly LogView[];
}
