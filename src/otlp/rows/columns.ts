/**
 * Layout of a decoded request in `Batch.rows`, an `Int32Array`: span rows, log rows, then the rows to which they refer. All rows of one
 * kind have the same width. Each name below is the index, within its row, of the field's first int. Ids are words, read little-endian from
 * the id's bytes. A text is an offset and a length in the body; a negative length (`~length`) means a JSON string with escapes.
 */
export const SpanColumn = {
  /** Four words. */
  traceId: 0,
  /** Two words. */
  spanId: 4,
  /** Two words: zero for a root span; both `UNKNOWN_PARENT` if the parent's id is invalid. */
  parentSpanId: 6,
  /** Nanoseconds since 1970, unsigned: low word, high word. */
  start: 8,
  end: 10,
  kind: 12,
  status: 13,
  flags: 14,
  name: 15,
  /** Offset and length of the complete span in the body. */
  bytes: 17,
  /** Index of the first attribute (counted from `attributeStart`), and number of attributes. */
  attributes: 19,
  scope: 21,
  /** Index of the row with rare fields (counted from `rareStart`); -1 if there is none. */
  rare: 22,
  /** Index of the previous row of the same trace in this batch; -1 if there is none. The assembler sets the index. */
  next: 23,
} as const;
export const SPAN_WIDTH = 24;

/** Fields that few spans have. */
export const RareColumn = {
  statusMessage: 0,
  droppedAttributes: 2,
  /** Two words: the index of the first event (counted from `eventStart`), and the number of events. */
  events: 3,
  links: 5,
} as const;
export const RARE_WIDTH = 7;

export const LogColumn = {
  /** Four words; zero if the record has no trace id. */
  traceId: 0,
  spanId: 4,
  /** `timeUnixNano`; the observed time if `timeUnixNano` is missing. */
  time: 6,
  severity: 8,
  eventName: 9,
  /** The body as a value: its type, and two ints as in an attribute. */
  body: 11,
  attributes: 14,
  scope: 16,
  bytes: 17,
  next: 19,
  droppedAttributes: 20,
} as const;
export const LOG_WIDTH = 21;

export const ResourceColumn = { attributes: 0 } as const;
export const RESOURCE_WIDTH = 2;

export const ScopeColumn = { name: 0, version: 2, resource: 4 } as const;
export const SCOPE_WIDTH = 5;

export const EventColumn = { name: 0, time: 2, attributes: 4 } as const;
export const EVENT_WIDTH = 6;

export const LinkColumn = { traceId: 0, spanId: 4 } as const;
export const LINK_WIDTH = 6;

/** Width of an attribute: `symbol << 8 | type`, then the two ints of its value. */
export const ATTRIBUTE_WIDTH = 3;

/** Types of values. The type decides what the two ints of a value mean. */
export const ValueType = {
  empty: 0,
  /** Offset, length. */
  text: 1,
  /** Offset and length of a JSON string with escapes, without its quotes. */
  escapedText: 2,
  /** 0 or 1; the second int is unused. */
  bool: 3,
  /** Low and high word of the 64-bit integer. */
  int: 4,
  double: 5,
  /** Offset and length of a JSON number, or of a number or `NaN`, `Infinity`, `-Infinity` within quotes. */
  doubleText: 6,
  /** Offset and length: of the bytes in protobuf, of base64 text in JSON. */
  bytes: 7,
  /** Offset and length: of the message in protobuf, of `{"values":…}` in JSON. */
  array: 8,
  map: 9,
  /** Offset and length of a complete key-value pair whose key has no symbol. It is decoded when it is first used. */
  pair: 10,
} as const;

export const UNKNOWN_PARENT = -1;

/**
 * Maximum nesting of values. If a span has a deeper value, the span is rejected; if a log record or resource has one, only the value is
 * lost.
 */
export const MAX_DEPTH = 100;
