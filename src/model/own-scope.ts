/**
 * Instrumentation scope of everything Tracejury sends. The loop guard goes by it: spans and logs of this scope are never evaluated,
 * whatever service they claim to come from.
 */
export const ownScope = "tracejury";
