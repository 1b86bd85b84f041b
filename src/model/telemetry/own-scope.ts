/**
 * Instrumentation scope of the telemetry that Tracejury emits about itself. Spans and logs of this scope are
 * not evaluated, whatever their service name, so that there are no loops.
 */
export const ownScope = "tracejury";

/**
 * Scope of the span in which `test` calls an agent. The span and its duration are not part of the run, which
 * begins with the agent's own spans.
 */
export const askingScope = "tracejury/test";

/**
 * Scope of the spans that the model server writes for an agent's model calls. Spans of the scope
 * `tracejury/models` are part of the agent's runs.
 */
export const recordingScope = "tracejury/models";

/**
 * Resource attribute with the conversation id of an agent call by `test`. The attribute takes precedence over
 * conversation ids that the agent assigns.
 */
export const conversationAttribute = "tracejury.conversation.id";
