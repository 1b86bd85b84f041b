/**
 * Limits of a span's decoded values. A compressed body of 200 kB can contain millions of messages, and each
 * message takes hundreds of bytes as an object. Values above the limits are dropped when a request or dump is
 * read. Dropped values are counted as dropped attributes, like attributes that the sender's SDK dropped.
 */

/**
 * Maximum number of values in the attributes of a span and of its events together; the same maximum applies to a log record. List items,
 * object members, lists and objects count as values. A value below 1,024 bytes counts as one value.
 */
export const MOST_SPAN_NODES = 250_000;
/**
 * Maximum for each of these numbers: the attributes of a span, its events, its links, and the attributes of all its events together. SDKs
 * allow 128 by default.
 */
export const MOST_SPAN_ATTRIBUTES = 20_000;
