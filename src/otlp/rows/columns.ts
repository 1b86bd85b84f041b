/**
 * How a decoded request is laid out in `Batch.rows`, an `Int32Array`: span rows first, then log rows, then the records they
 * point into. A row is fixed-width; each name below is the place of its first int. Ids are words read little-endian
 * from the id's bytes. A text is (offset, length) in the body; a length below zero, `~length`, marks a JSON string with escapes.
 */
export const SpanColumn = {
  /** Four words. */
  traceId: 0,
  /** Two words. */
  spanId: 4,
  /** Two words; zero for a root, `UNKNOWN_PARENT` twice when the parent's id could not be read. */
  parentSpanId: 6,
  /** Nanoseconds since 1970: low word, high word, unsigned. */
  start: 8,
  end: 10,
  kind: 12,
  status: 13,
  flags: 14,
  name: 15,
  /** Offset and length of the whole span in the body. */
  bytes: 17,
  /** First attribute, counted from `attributeStart`, and how many. */
  attributes: 19,
  scope: 21,
  /** The row, counted from `rareStart`, of what most spans do not have; -1 when it has nothing of it. */
  rare: 22,
  /** Free for the assembler to chain rows; -1 at first. */
  next: 23,
} as const;
export const SPAN_WIDTH = 24;

/** Fields that few spans have. */
export const RareColumn = {
  statusMessage: 0,
  droppedAttributes: 2,
  /** First event, counted from `eventStart`, and how many. */
  events: 3,
  links: 5,
} as const;
export const RARE_WIDTH = 7;

export const LogColumn = {
  /** Four words; zero when the record names no trace. */
  traceId: 0,
  spanId: 4,
  /** `timeUnixNano`, else the observed time. */
  time: 6,
  severity: 8,
  eventName: 9,
  /** A value: type, then two ints as in an attribute. */
  body: 11,
  attributes: 14,
  scope: 16,
  bytes: 17,
  next: 19,
} as const;
export const LOG_WIDTH = 20;

export const ResourceColumn = { attributes: 0 } as const;
export const RESOURCE_WIDTH = 2;

export const ScopeColumn = { name: 0, version: 2, resource: 4 } as const;
export const SCOPE_WIDTH = 5;

export const EventColumn = { name: 0, time: 2, attributes: 4 } as const;
export const EVENT_WIDTH = 6;

export const LinkColumn = { traceId: 0, spanId: 4 } as const;
export const LINK_WIDTH = 6;

/** An attribute: `symbol << 8 | type`, then the value's two ints. */
export const ATTRIBUTE_WIDTH = 3;

/** Meaning of the two ints of a value. */
export const ValueType = {
  empty: 0,
  /** Offset, length. */
  text: 1,
  /** Offset, length of a JSON string's inside that has escapes. */
  escapedText: 2,
  /** 0 or 1, unused. */
  bool: 3,
  /** Low word, high word of the 64 bits. */
  int: 4,
  double: 5,
  /** Offset, length of a JSON number. */
  doubleText: 6,
  /** Offset, length: of the bytes in protobuf, of base64 text in JSON. */
  bytes: 7,
  /** Offset, length: of the message in protobuf, of the `{"values":…}` in JSON. */
  array: 8,
  map: 9,
  /** Offset, length of the whole key-value pair, whose key has no symbol: key and value are read when asked for. */
  pair: 10,
} as const;

export const UNKNOWN_PARENT = -1;

/** Values nested deeper than this are not taken. */
export const MAX_DEPTH = 100;
