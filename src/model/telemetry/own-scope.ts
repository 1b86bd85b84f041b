/**
 * Instrumentation scope of all telemetry that Tracejury emits. The loop guard uses it: spans and logs of this
 * scope are never evaluated, whatever service they name.
 */
export const ownScope = "tracejury";

/**
 * Scope of the span around a test call of an agent. The span measures the call and is not agent work: neither
 * the span nor its time is part of a run, and its children are complete without it.
 */
export const askingScope = "tracejury/test";

/**
 * Scope of the spans that the model server writes about an agent's calls. These spans are part of the agent's
 * runs.
 */
export const recordingScope = "tracejury/models";

/** Resource attribute with the conversation of an agent call. It takes precedence over ids that the agent assigns. */
export const conversationAttribute = "tracejury.conversation.id";
