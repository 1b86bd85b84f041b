import type { SpanNode } from "../span/span-node.ts";
import { isObject, type JsonObject } from "../../model/json.ts";
import { isAgentName } from "../span/agent-name.ts";

/**
 * The agent that LangGraph's metadata names: the graph around the node at work. A checkpoint namespace lists the nodes from
 * the outermost in, `graph:task|node:task`; its last is the node itself, and no agent.
 */
export function agentInMetadata(node: SpanNode): string | undefined {
  const metadata = node.reading.has("metadata") ? node.json("metadata") : undefined;
  const object = isObject(metadata) ? metadata : undefined;
  const named =
    object && (text(object, "lc_agent_name") ?? text(object, "agent_name") ?? text(object, "agent"));
  if (isAgentName(named)) return named;
  const path =
    node.text("graphPath") ??
    (object && (text(object, "langgraph_checkpoint_ns") ?? text(object, "checkpoint_ns")));
  if (path === undefined) return undefined;
  const nodes = path.split("|").map((level) => level.split(":")[0] ?? "");
  return nodes.slice(0, -1).findLast(isAgentName);
}

function text(object: JsonObject, key: string): string | undefined {
  const value = object[key];
  return typeof value === "string" && value !== "" ? value : undefined;
}
