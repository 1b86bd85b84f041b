/**
 * Bounds of what the values of one span may become when they are decoded. Telemetry compresses well: a body of 200 kB can hold millions of
 * messages, each of which takes hundreds of bytes as an object. What exceeds them is left out when a request is received or a dump is read,
 * and counted with the attributes that the sender dropped.
 */

/** Values inside all attributes of a span, or inside its events' attributes: list entries, members and lists and objects themselves. */
export const MOST_SPAN_NODES = 250_000;
/** Attributes of a span, its events, the attributes of all its events, and its links: of each so many. SDKs allow 128. */
export const MOST_SPAN_ATTRIBUTES = 20_000;
