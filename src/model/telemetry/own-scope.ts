/**
 * Instrumentation scope of everything Tracejury sends. The loop guard goes by it: spans and logs of this scope are never evaluated,
 * whatever service they claim to come from.
 */
export const ownScope = "tracejury";

/**
 * Scope of the span that an agent is asked in. It says that a question was put and how long the answer took, and is nothing that the agent
 * did: what hangs below it is complete, and neither it nor its time is part of a run.
 */
export const askingScope = "tracejury/test";

/** Scope of the spans that the model server writes about the calls of an agent. They are part of the agent's runs. */
export const recordingScope = "tracejury/models";
