/**
 * Instrumentation scope of all telemetry that Tracejury emits about itself. To prevent loops, spans and logs
 * of this scope are not evaluated, whatever their service name.
 */
export const ownScope = "tracejury";

/**
 * Scope of the span around a test's call of an agent. The span is not agent work: neither the span nor its
 * duration is part of a run. The children of the span form complete traces without the span.
 */
export const askingScope = "tracejury/test";

/**
 * Scope of the spans that the model server writes about an agent's calls. The spans of the model server are
 * part of the agent's runs.
 */
export const recordingScope = "tracejury/models";

/** Resource attribute with the conversation of an agent call. It takes precedence over ids that the agent assigns. */
export const conversationAttribute = "tracejury.conversation.id";
