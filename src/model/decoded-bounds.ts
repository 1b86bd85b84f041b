/**
 * Limits of a span's decoded values. Telemetry compresses well: a body of 200 kB can contain millions of
 * messages, and each takes hundreds of bytes as an object. Values above the limits are dropped when a request
 * is received or a dump is read, and counted with the attributes that the sender dropped.
 */

/**
 * Maximum number of values inside all attributes of a span, or inside its events' attributes. List items,
 * object members, lists and objects count.
 */
export const MOST_SPAN_NODES = 250_000;
/**
 * Maximum number of a span's attributes, of its events, of all its events' attributes, and of its links,
 * each. SDKs allow 128.
 */
export const MOST_SPAN_ATTRIBUTES = 20_000;
