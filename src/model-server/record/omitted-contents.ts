/** Why the span of a call has no messages, system prompt and tools; the value of the attribute `tracejury.contents.omitted`. */
export type OmittedContents =
  /** A body is larger than the limit for copies. */
  | "body_too_large"
  /** The messages are longer than the limit. */
  | "messages_too_long"
  /** The bodies of concurrent calls have used all memory for copies. */
  | "no_memory"
  /** The bodies were not decoded in time after the agent had ended. */
  | "not_read_in_time"
  /** The messages of this call would exceed the size limit of the recording's messages. */
  | "recording_full";
