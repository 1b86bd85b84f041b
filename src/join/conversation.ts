import type { Piece } from "../adapt/piece.ts";
import { isObject } from "../model/json.ts";

const inMetadata = ["thread_id", "session_id", "conversation_id", "threadId", "sessionId"] as const;

/** The conversation that a run belongs to: by a producer's own attribute, else by the metadata that LangGraph passes on. */
export function conversationOf(pieces: readonly Piece[]): string | undefined {
  for (const piece of pieces) {
    const id = piece.text("conversation");
    if (id !== undefined) return id;
  }
  for (const piece of pieces) {
    const metadata = piece.reading.has("metadata") ? piece.json("metadata") : undefined;
    if (!isObject(metadata)) continue;
    for (const key of inMetadata) {
      const id = metadata[key];
      if (typeof id === "string" && id !== "") return id;
    }
  }
  return undefined;
}
