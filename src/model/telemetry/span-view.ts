import type { AttributeKey } from "./attribute-key.ts";
import type { JsonValue } from "../json.ts";
import type { KeyLayout } from "./key-layout.ts";
import type { SourceLine } from "../source-line.ts";

/**
 * A text value as it was received: UTF-8, in a JSON body with the escapes of a JSON string. Positions are byte offsets in `view`.
 */
export interface TextBytes {
  readonly view: DataView;
  readonly start: number;
  readonly end: number;
  readonly isEscaped: boolean;
  /** Decodes the bytes between two positions that lie between characters. */
  slice(from: number, to: number): string;
  /** Whether the bytes of both texts agree, from a position in each; false where one of them ends before. */
  matches(from: number, other: TextBytes, otherFrom: number, length: number): boolean;
}

/**
 * Typed, lenient reads of one attribute set. Nothing is decoded before it is read; a value that is absent or of
 * another type reads as `undefined`. Of duplicate keys the last wins.
 */
export interface AttributesView {
  /** How many attributes there are, duplicates included. */
  readonly size: number;
  /** Shared with other sets of the same keys in the same order; left out by views that share none. */
  readonly layout?: KeyLayout;
  has(key: AttributeKey): boolean;
  /** A string value; numbers and booleans are not turned into text. */
  text(key: AttributeKey): string | undefined;
  /** An int, a double, or a string that is wholly a number. */
  number(key: AttributeKey): number | undefined;
  /** A boolean, or the strings "true" and "false" in any case. */
  boolean(key: AttributeKey): boolean | undefined;
  /** Any value as JSON: arrays and maps nested, bytes as base64, integers beyond 2^53 as decimal strings. */
  value(key: AttributeKey): JsonValue | undefined;
  /** Like `value`; a string that holds JSON is parsed, any other string is returned as it is. */
  json(key: AttributeKey): JsonValue | undefined;
  /** Calls `visit` with each key present that some code has declared, in the order received; others are skipped. */
  eachKey(visit: (key: AttributeKey) => void): void;
  /** All keys, in the order received. */
  keys(): readonly string[];
  /** Reads by a key that is not known beforehand. Slower than `value`. */
  named(name: string): JsonValue | undefined;
  /** The key of the attribute at a place, from 0 to `size` - 1 in the order received. */
  nameAt(place: number): string;
  /**
   * A small integer for that key, constant for the process, for lookups of derived data; -1 for none. Absent in views without key numbers.
   */
  nameIdAt?(place: number): number;
  /** The value of the attribute at a place, as `value` reads it. */
  valueAt(place: number): JsonValue | undefined;
  /** The bytes of a long text, so that it can be compared before it is decoded; left out by views that hold no bytes. */
  textBytes?(key: AttributeKey): TextBytes | undefined;
  textBytesAt?(place: number): TextBytes | undefined;
  /**
   * The nested value spread over indexed keys: `tree("llm.input_messages")` reads `llm.input_messages.0.message.role`, … as
   * `[{ message: { role } }]`. An object whose keys are all whole numbers is an array. `undefined` when no key has the prefix.
   * @param like a tree of the same prefix that was already read: leading items made of equal attributes are taken from there
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
  /** Lower-case hex. */
  readonly traceId: string;
  readonly spanId: string;
}

/** A log record that carries a span's (or only a trace's) id. */
export interface LogView extends AttributesView {
  /** The top-level event name, else the attribute `event.name`, else empty. */
  readonly eventName: string;
  readonly body: JsonValue | undefined;
  readonly severityNumber: number;
  readonly timeUnixMs: number;
  /** Lower-case hex; undefined when the record names only the trace. */
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

/** View of one span for adapters, equal for protobuf, JSON and files. It is valid while its trace is read. */
export interface SpanView extends AttributesView {
  /** Lower-case hex. */
  readonly traceId: string;
  readonly spanId: string;
  /** Undefined for a root. */
  readonly parentSpanId: string | undefined;
  readonly name: string;
  /** OTLP's flags, W3C trace flags in the lowest 8 bits; 0 or absent when the sender did not set them. */
  readonly flags?: number;
  /** OTLP's number; see `SpanKind`. */
  readonly kind: number;
  /** 0 unset, 1 ok, 2 error. */
  readonly status: number;
  readonly statusMessage: string;
  readonly startUnixMs: number;
  /** Never before `startUnixMs`. */
  readonly endUnixMs: number;
  /** The same time in nanoseconds, exact. Milliseconds are rounded. */
  readonly endUnixNano: bigint;
  readonly scopeName: string;
  readonly scopeVersion: string;
  /** Where in a dump it was read; absent for a span that was received. */
  readonly source?: SourceLine | undefined;
  readonly resource: AttributesView;
  readonly events: readonly EventView[];
  readonly links: readonly LinkView[];
  readonly droppedAttributes: number;
  /** Log records with this span's id, in time order. */
  readonly logs: readonly LogView[];
}
