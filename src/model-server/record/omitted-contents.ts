/**
 * Reason why the span of a call has no messages, system prompt and tools. The value of its attribute
 * `tracejury.contents.omitted`.
 */
export type OmittedContents =
  /** A body exceeds the size limit for copies. */
  | "body_too_large"
  /** The messages exceed the length limit. */
  | "messages_too_long"
  /** The bodies of concurrent calls use all memory for copies. */
  | "no_memory"
  /** The bodies were not decoded in time after the agent had ended. */
  | "not_read_in_time"
  /** With this call, the recording's messages would exceed their size limit. */
  | "recording_full";
