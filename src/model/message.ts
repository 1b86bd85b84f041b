import type { JsonValue } from "./json.ts";

export type MessageRole = "system" | "user" | "assistant" | "tool";

/** A tool call as a model asked for it. */
export interface RequestedCall {
  readonly id: string | null;
  readonly name: string | null;
  readonly arguments: JsonValue | undefined;
}

/** A tool's answer as the next model call got it. */
export interface ReturnedResult {
  readonly callId: string | null;
  readonly name: string | null;
  readonly content: JsonValue | undefined;
  readonly isError: boolean;
}

/** One message of a conversation, whatever notation it was written in. */
export interface Message {
  readonly role: MessageRole;
  /** The agent or participant that spoke, where the producer says so. */
  readonly name: string | null;
  /** All text parts joined; null when it has none. */
  readonly text: string | null;
  readonly calls: readonly RequestedCall[];
  readonly results: readonly ReturnedResult[];
}
