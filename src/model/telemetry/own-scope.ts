/**
 * Instrumentation scope of everything Tracejury sends. The loop guard goes by it: spans and logs of this scope are never evaluated,
 * whatever service they claim to come from.
 */
export const ownScope = "tracejury";

/**
 * Scope of the span around a test call of an agent. It measures the call and is not work of the agent: neither the span nor its time is
 * part of a run, and its children are complete.
 */
export const askingScope = "tracejury/test";

/** Scope of the spans that the model server writes about the calls of an agent. They are part of the agent's runs. */
export const recordingScope = "tracejury/models";
