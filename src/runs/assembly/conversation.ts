import type { SpanNode } from "../span/span-node.ts";
import { isAbsentId } from "../text/absent-id.ts";
import { isObject } from "../../model/json.ts";

const inMetadata = ["thread_id", "session_id", "conversation_id", "threadId", "sessionId"] as const;

/** The conversation that a run belongs to: by a producer's own attribute, else by the metadata that LangGraph passes on. */
export function conversationOf(nodes: readonly SpanNode[]): string | undefined {
  for (const node of nodes) {
    const id = node.text("conversation");
    if (id !== undefined) return id;
  }
  for (const node of nodes) {
    const metadata = node.reading.has("metadata") ? node.json("metadata") : undefined;
    if (!isObject(metadata)) continue;
    for (const key of inMetadata) {
      const id = metadata[key];
      if (typeof id === "string" && !isAbsentId(id)) return id;
    }
  }
  return undefined;
}
