import type { JsonValue } from "./json.ts";

export type MessageRole = "system" | "user" | "assistant" | "tool";

/** A tool call that a model requested. */
export interface RequestedCall {
  readonly id: string | null;
  readonly name: string | null;
  readonly arguments: JsonValue | undefined;
}

/** A tool's result as the next model call received the result. */
export interface ReturnedResult {
  readonly callId: string | null;
  readonly name: string | null;
  readonly content: JsonValue | undefined;
  readonly isError: boolean;
}

/** A message of a conversation, independent of its original notation. */
export interface Message {
  readonly role: MessageRole;
  /** Agent or participant that wrote the message, if the producer names it. */
  readonly name: string | null;
  /** All text parts joined; null if there are none. */
  readonly text: string | null;
  readonly calls: readonly RequestedCall[];
  readonly results: readonly ReturnedResult[];
}
