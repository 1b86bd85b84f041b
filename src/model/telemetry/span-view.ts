import type { AttributeKey } from "./attribute-key.ts";
import type { JsonValue } from "../json.ts";
import type { KeyLayout } from "./key-layout.ts";
import type { SourceLine } from "../source-line.ts";

/**
 * A text value as it was received, in UTF-8. In a JSON body, the bytes still contain JSON escapes. Positions are byte offsets in `view`.
 */
export interface TextBytes {
  readonly view: DataView;
  readonly start: number;
  readonly end: number;
  readonly isEscaped: boolean;
  /** Decodes the bytes between two positions. A position must not be inside a character. */
  slice(from: number, to: number): string;
  /** Whether `length` bytes from `from` equal `length` bytes of `other` from `otherFrom`. False if one of the texts ends earlier. */
  matches(from: number, other: TextBytes, otherFrom: number, length: number): boolean;
}

/**
 * Typed access to the attributes of a span, event or log record. Values are decoded when they are first used. If a value is absent or has
 * another type, the result is `undefined`. If a key occurs twice, its last value is used.
 */
export interface AttributesView {
  /** Number of attributes. A key that occurs twice counts twice. */
  readonly size: number;
  /** The layout that is shared by attribute sets with the same keys in the same order; absent if the view has no layout. */
  readonly layout?: KeyLayout | undefined;
  has(key: AttributeKey): boolean;
  /** Returns a string value. Numbers and booleans are not converted into strings. */
  text(key: AttributeKey): string | undefined;
  /** Returns an int or a double. A string that contains a number is converted. */
  number(key: AttributeKey): number | undefined;
  /** Returns a boolean. The strings "true" and "false" are converted, in upper or lower case. */
  boolean(key: AttributeKey): boolean | undefined;
  /**
   * Returns a value of any type as JSON. Arrays and maps are nested, bytes become base64, and integers above
   * 2^53 become strings of digits.
   */
  value(key: AttributeKey): JsonValue | undefined;
  /** Returns the same as `value`, but parses a string that contains JSON. */
  json(key: AttributeKey): JsonValue | undefined;
  /** Calls `visit` with each declared key in the order received. Undeclared keys are skipped. */
  eachKey(visit: (key: AttributeKey) => void): void;
  /** Returns all keys in the order received. */
  keys(): readonly string[];
  /** Returns the value of a key, by the key's name. Slower than `value`. */
  named(name: string): JsonValue | undefined;
  /** Returns the key of the attribute at an index, from 0 to `size` − 1, in the order received. */
  nameAt(place: number): string;
  /**
   * Returns a small integer that stands for the key of the attribute at an index; -1 if the key has none. It does not change within a
   * process, so results can be cached by it. Absent in views without such integers.
   */
  nameIdAt?(place: number): number;
  /** Returns the value of the attribute at an index, in the same form as `value`. */
  valueAt(place: number): JsonValue | undefined;
  /** Returns the bytes of a long text, which can then be compared without decoding. Absent in views without bytes. */
  textBytes?(key: AttributeKey): TextBytes | undefined;
  textBytesAt?(place: number): TextBytes | undefined;
  /**
   * Returns the nested value that indexed keys form. For example, `tree("llm.input_messages")` reads `llm.input_messages.0.message.role`, …
   * as `[{ message: { role } }]`. An object whose keys are all whole numbers becomes an array. Returns undefined if no key has the prefix.
   * @param like an earlier result for the same prefix, whose leading items are reused as long as their attributes are equal
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

/** Status code of a span that the sender marked as successful (OK). */
export const SUCCEEDED = 1;

/** A log record. It may name a span, only a trace, or neither. */
export interface LogView extends AttributesView {
  /** Event name of the record; if it has none, the attribute `event.name`; otherwise an empty text. */
  readonly eventName: string;
  readonly body: JsonValue | undefined;
  readonly severityNumber: number;
  /**
   * Number of attributes that the sender dropped, or that exceed the limits of decoded values. If the body exceeds the limits, it counts as
   * one more.
   */
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

/** View of one span for adapters, the same for protobuf, JSON and files. It is valid only while the span's trace is processed. */
export interface SpanView extends AttributesView {
  /** Trace id in lower-case hex. */
  readonly traceId: string;
  readonly spanId: string;
  /** Parent span id in lower-case hex; undefined for a root span. */
  readonly parentSpanId: string | undefined;
  readonly name: string;
  /** OTLP flags, of which the lowest 8 bits are the W3C trace flags. 0 or absent if the sender did not set them. */
  readonly flags?: number;
  /** Span kind as an OTLP number; see `SpanKind`. */
  readonly kind: number;
  /** Status code: 0 unset, 1 ok, 2 error. */
  readonly status: number;
  readonly statusMessage: string;
  readonly startUnixMs: number;
  /** End time in milliseconds since 1970; never before `startUnixMs`. */
  readonly endUnixMs: number;
  /** Exact start time in nanoseconds since 1970. `startUnixMs` is rounded. */
  readonly startUnixNano: bigint;
  /** Exact end time in nanoseconds since 1970. `endUnixMs` is rounded. */
  readonly endUnixNano: bigint;
  /** Whether the span has an end time that is not before its start time. If false, the duration of the span is unknown. */
  readonly hasEnd: boolean;
  readonly scopeName: string;
  readonly scopeVersion: string;
  /** Position in a dump; absent for a received span. */
  readonly source?: SourceLine | undefined;
  readonly resource: AttributesView;
  readonly events: readonly EventView[];
  readonly links: readonly LinkView[];
  /**
   * Number of attributes that the sender dropped, plus the number of attributes, events and links that exceed the limits of decoded values.
   */
  readonly droppedAttributes: number;
  /** Log records with this span's id, in time order. */
  readonly logs: readonly LogView[];
}

/** Returns the time in milliseconds from the start of one span to the end of another, exact to the nanosecond. */
export function elapsedMs(first: SpanView, last: SpanView): number {
  return Number(last.endUnixNano - first.startUnixNano) / 1e6;
}
