/**
 * Limits of a span's decoded values. A compressed body of 200 kB can contain millions of messages, and each
 * message takes hundreds of bytes as an object. Values above the limits are dropped when a request is
 * received or a dump is read. Dropped values are counted like the attributes that the sender dropped.
 */

/**
 * Maximum number of values in all attributes of a span, and separately in the attributes of its events. List
 * items, object members, lists and objects count as values.
 */
export const MOST_SPAN_NODES = 250_000;
/**
 * Maximum number of attributes of a span. The same number limits the events of the span, the attributes of
 * all these events, and the links of the span. SDKs allow 128 by default.
 */
export const MOST_SPAN_ATTRIBUTES = 20_000;
