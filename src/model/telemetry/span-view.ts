import type { AttributeKey } from "./attribute-key.ts";
import type { JsonValue } from "../json.ts";
import type { KeyLayout } from "./key-layout.ts";
import type { SourceLine } from "../source-line.ts";

/**
 * A text value as received, in UTF-8. In a JSON body, the bytes still contain JSON escapes. Positions are
 * byte offsets in `view`.
 */
export interface TextBytes {
  readonly view: DataView;
  readonly start: number;
  readonly end: number;
  readonly isEscaped: boolean;
  /** Decodes the bytes between two positions, which must not be inside a character. */
  slice(from: number, to: number): string;
  /**
   * Whether `length` bytes from `from` equal `length` bytes of `other` from `otherFrom`. False if one of the
   * texts is too short.
   */
  matches(from: number, other: TextBytes, otherFrom: number, length: number): boolean;
}

/**
 * Typed access to the attributes of a span, event or log record. Values are decoded on first use. An absent
 * value, or a value of another type, is `undefined`. If a key occurs twice, the last value is used.
 */
export interface AttributesView {
  /** Number of attributes; a key that occurs twice counts twice. */
  readonly size: number;
  /**
   * Layout that attribute sets with the same keys in the same order share; absent if the view has no layout.
   */
  readonly layout?: KeyLayout | undefined;
  has(key: AttributeKey): boolean;
  /** Returns a string value. Numbers and booleans are not converted. */
  text(key: AttributeKey): string | undefined;
  /** Returns an int or a double. A string that is a number is converted. */
  number(key: AttributeKey): number | undefined;
  /** Returns a boolean. The strings "true" and "false" are converted, in upper or lower case. */
  boolean(key: AttributeKey): boolean | undefined;
  /**
   * Returns a value of any type as JSON. Arrays and maps are nested, bytes become base64, and integers above
   * 2^53 become strings of digits.
   */
  value(key: AttributeKey): JsonValue | undefined;
  /** Returns a value like `value`. A string that contains JSON is parsed. */
  json(key: AttributeKey): JsonValue | undefined;
  /** Calls `visit` with each declared key in the order received. Undeclared keys are skipped. */
  eachKey(visit: (key: AttributeKey) => void): void;
  /** Returns all keys in the order received. */
  keys(): readonly string[];
  /** Returns the value of a key by its name. `named` is slower than `value`. */
  named(name: string): JsonValue | undefined;
  /** Returns the key of the attribute at an index, from 0 to `size` − 1, in the order received. */
  nameAt(place: number): string;
  /**
   * Returns a small integer for the key of the attribute at an index; -1 if the key has no integer. The integer
   * does not change within a process, so that data can be cached by it. Absent in views without key numbers.
   */
  nameIdAt?(place: number): number;
  /** Returns the value of the attribute at an index, like `value`. */
  valueAt(place: number): JsonValue | undefined;
  /**
   * Returns the bytes of a long text, so that it can be compared without decoding. Absent in views without
   * bytes.
   */
  textBytes?(key: AttributeKey): TextBytes | undefined;
  textBytesAt?(place: number): TextBytes | undefined;
  /**
   * Returns the nested value that indexed keys form. For example, `tree("llm.input_messages")` reads
   * `llm.input_messages.0.message.role`, … as `[{ message: { role } }]`. An object whose keys are all whole
   * numbers becomes an array. Returns undefined if no key has the prefix.
   * @param like an earlier result for the same prefix; its leading items are reused if their attributes are
   * equal
   */
  tree(prefix: string, like?: AttributeTree): JsonValue | undefined;
}

/** A result of `AttributesView.tree` that a later call can reuse. */
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

/** Status code of a span that the sender marked as successful. */
export const SUCCEEDED = 1;

/** A log record, which names a span, only a trace, or neither. */
export interface LogView extends AttributesView {
  /** Event name of the record, otherwise the attribute `event.name`, otherwise an empty text. */
  readonly eventName: string;
  readonly body: JsonValue | undefined;
  readonly severityNumber: number;
  /** Number of attributes that the sender dropped or that exceed the limits of decoded values. A body above the limits counts as one. */
  readonly droppedAttributes: number;
  readonly timeUnixMs: number;
  /** Span id in lower-case hex; undefined if the record names no span. */
  readonly spanId: string | undefined;
  /** Position in a dump; absent for a received record. */
  readonly source?: SourceLine | undefined;
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
 * View of one span for adapters, equal for protobuf, JSON and files. Valid only while the trace of the span
 * is processed.
 */
export interface SpanView extends AttributesView {
  /** Trace id in lower-case hex. */
  readonly traceId: string;
  readonly spanId: string;
  /** Parent span id in lower-case hex; undefined for a root span. */
  readonly parentSpanId: string | undefined;
  readonly name: string;
  /** OTLP flags. The lowest 8 bits are the W3C trace flags. 0 or absent if the sender did not set them. */
  readonly flags?: number;
  /** Span kind as an OTLP number; see `SpanKind`. */
  readonly kind: number;
  /** Status code: 0 unset, 1 ok, 2 error. */
  readonly status: number;
  readonly statusMessage: string;
  readonly startUnixMs: number;
  /** End time in milliseconds since 1970. Never before `startUnixMs`. */
  readonly endUnixMs: number;
  /** Exact start time in nanoseconds since 1970. `startUnixMs` is rounded. */
  readonly startUnixNano: bigint;
  /** Exact end time in nanoseconds since 1970. `endUnixMs` is rounded. */
  readonly endUnixNano: bigint;
  /**
   * Whether the span has an end time that is not before its start. If false, the span's duration is unknown.
   */
  readonly hasEnd: boolean;
  readonly scopeName: string;
  readonly scopeVersion: string;
  /** Position in a dump; absent for a received span. */
  readonly source?: SourceLine | undefined;
  readonly resource: AttributesView;
  readonly events: readonly EventView[];
  readonly links: readonly LinkView[];
  /** Number of attributes that the sender dropped, and of attributes, events and links that exceed the limits of decoded values. */
  readonly droppedAttributes: number;
  /** Log records with this span's id, in time order. */
  readonly logs: readonly LogView[];
}

/** Returns the milliseconds from the start of one span to the end of another, exact to the nanosecond. */
export function elapsedMs(first: SpanView, last: SpanView): number {
  return Number(last.endUnixNano - first.startUnixNano) / 1e6;
}
