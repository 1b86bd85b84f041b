import type { Evidence } from "./evidence.ts";
import { isAbsentId } from "../text/absent-id.ts";
import { isObject } from "../../model/json.ts";

const inMetadata = ["thread_id", "session_id", "conversation_id", "threadId", "sessionId"] as const;

/**
 * The conversation of a run: by a producer's own attribute, else by the metadata that LangGraph passes on, else by the spans around
 * the run, such as a session's of several runs.
 */
export function conversationOf({ nodes, root }: Pick<Evidence, "nodes" | "root">): string | undefined {
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
  for (let at = root.parent; at !== undefined; at = at.parent) {
    const id = at.text("conversation");
    if (id !== undefined) return id;
  }
  return undefined;
}
