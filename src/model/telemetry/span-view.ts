import type { AttributeKey } from "./attribute-key.ts";
import type { JsonValue } from "../json.ts";
import type { KeyLayout } from "./key-layout.ts";
import type { SourceLine } from "../source-line.ts";

/**
 * A text value as received, in UTF-8. In a JSON body the text still contains the escapes of its JSON string.
 * Positions are byte offsets in `view`.
 */
export interface TextBytes {
  readonly view: DataView;
  readonly start: number;
  readonly end: number;
  readonly isEscaped: boolean;
  /** Decodes the bytes between two positions, which must be character boundaries. */
  slice(from: number, to: number): string;
  /**
   * Whether `length` bytes from `from` equal `length` bytes of `other` from `otherFrom`; false if a text is
   * too short.
   */
  matches(from: number, other: TextBytes, otherFrom: number, length: number): boolean;
}

/**
 * Typed access to one attribute set. Values are decoded on first use. An absent value, or a value of another
 * type, is `undefined`. For duplicate keys the last value counts.
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
  /** Returns an int or a double as a number. A string that consists of one number is converted. */
  number(key: AttributeKey): number | undefined;
  /** Returns a boolean. The strings "true" and "false", in any case, are converted. */
  boolean(key: AttributeKey): boolean | undefined;
  /**
   * Returns a value of any type as JSON. Arrays and maps are nested, bytes become base64, and integers above
   * 2^53 become decimal strings.
   */
  value(key: AttributeKey): JsonValue | undefined;
  /** Returns a value like `value`, but parses a string that contains JSON. */
  json(key: AttributeKey): JsonValue | undefined;
  /** Calls `visit` with each declared key in the order received; other keys are skipped. */
  eachKey(visit: (key: AttributeKey) => void): void;
  /** Returns all keys in the order received. */
  keys(): readonly string[];
  /** Returns the value of a key by its name. A look-up by name is slower than `value`. */
  named(name: string): JsonValue | undefined;
  /** Returns the key of the attribute at an index, from 0 to `size` - 1, in the order received. */
  nameAt(place: number): string;
  /**
   * Returns a small integer for the key of the attribute at an index; -1 if the key has none. Derived data
   * can be cached under this integer, because it does not change within a process. Absent in views without
   * key numbers.
   */
  nameIdAt?(place: number): number;
  /** Returns the value of the attribute at an index, like `value`. */
  valueAt(place: number): JsonValue | undefined;
  /**
   * Returns the bytes of a long text, so that the text can be compared before it is decoded; absent in views
   * without bytes.
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
 * View of one span for adapters. The view is the same for protobuf, JSON and files. The view is valid only
 * while the trace of the span is read.
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
  /** Whether the span reports an end that is not before its start. If not, the span's duration is unknown. */
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
