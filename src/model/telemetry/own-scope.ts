/**
 * Instrumentation scope of the telemetry that Tracejury emits about itself. To prevent loops, spans and logs of this scope are not
 * evaluated, whatever their service name is.
 */
export const ownScope = "tracejury";

/**
 * Scope of the span in which the command `test` calls an agent. This span and its duration are not part of the run; the run begins with the
 * agent's own spans.
 */
export const askingScope = "tracejury/test";

/** Scope of the spans that the model server writes for an agent's model calls. Spans of this scope are part of the agent's runs. */
export const recordingScope = "tracejury/models";

/**
 * Resource attribute with the conversation id of an agent call by the command `test`. It takes precedence over conversation ids that the
 * agent assigns.
 */
export const conversationAttribute = "tracejury.conversation.id";
