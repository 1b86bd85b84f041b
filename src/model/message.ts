import type { JsonValue } from "./json.ts";

export type MessageRole = "system" | "user" | "assistant" | "tool";

export interface RequestedCall {
  readonly id: string | null;
  readonly name: string | null;
  readonly arguments: JsonValue | undefined;
}

/** The result of a tool, as the next model call received it. */
export interface ReturnedResult {
  readonly callId: string | null;
  readonly name: string | null;
  readonly content: JsonValue | undefined;
  readonly isError: boolean;
}

/** A message of a conversation, in one form for all dialects. */
export interface Message {
  readonly role: MessageRole;
  /** Agent or participant that wrote the message; null if the telemetry does not name it. */
  readonly name: string | null;
  /** All text parts of the message, joined; null if there are none. */
  readonly text: string | null;
  readonly calls: readonly RequestedCall[];
  readonly results: readonly ReturnedResult[];
}
