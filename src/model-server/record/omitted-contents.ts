/** Why the span of a call holds no messages, system prompt and tools, as its attribute `tracejury.contents.omitted` names it. */
export type OmittedContents =
  /** A body is larger than any that is copied. */
  | "body_too_large"
  /** The messages are longer than any model reads. */
  | "messages_too_long"
  /** The bodies of calls at the same time take all the memory for copies. */
  | "no_memory"
  /** The agent ended before the bodies were read. */
  | "not_read_in_time"
  /** The recording holds as many messages as it may. */
  | "recording_full";
