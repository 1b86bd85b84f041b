/** Value of the attribute `tracejury.contents.omitted`: the reason why the span of a call has no messages, system prompt and tools. */
export type OmittedContents =
  /** The body of the request or answer is larger than the limit for copies. */
  | "body_too_large"
  /** The messages are longer than the limit. */
  | "messages_too_long"
  /** The bodies of concurrent calls have used all memory for copies. */
  | "no_memory"
  /** The bodies were not decoded in time after the agent had ended. */
  | "not_read_in_time"
  /** With the messages of this call, all messages of the recording would exceed their size limit. */
  | "recording_full";
