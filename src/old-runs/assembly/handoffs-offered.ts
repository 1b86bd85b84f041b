import { unfold } from "../messages/unfold.ts";
import type { SpanNode } from "../span/span-node.ts";
import { isArray, isObject, type JsonValue } from "../../model/json.ts";
import type { Handoff } from "../../model/run.ts";
import { sameAgent } from "../span/agent-name.ts";
import { targetOf } from "./handoff-target.ts";

/** Where a tool's definition keeps the function it is about, by those who do not write the name at the top. */
const wrappers = ["function", "tool", "json_schema", "definition"] as const;
const DEEPEST = 4;

/**
 * The agents that could be handed over to: those that a producer lists, and the targets of transfer tools among the tools that models were
 * given. Null where neither says anything: tools without a transfer do not show that there was nobody, as many frameworks hand over without.
 * Whoever was handed over to was on offer as well.
 */
export function handoffsOffered(
  nodes: readonly SpanNode[],
  handoffs: readonly Handoff[],
): readonly string[] | null {
  const known = handoffs.map(({ to }) => to);
  const offered = new Set<string>();
  const add = (name: string): void => void offered.add(known.find((one) => sameAgent(one, name)) ?? name);
  const seen = new Set<string>();
  let isListed = false;
  for (const node of nodes) {
    const listed = node.has("handoffs") ? listIn(node.json("handoffs")) : undefined;
    if (listed !== undefined) isListed = true;
    for (const item of listed ?? []) {
      const name = nameIn(item);
      if (name !== undefined) add(name);
    }
    for (const item of node.has("toolDefinitions") ? transfersIn(node, seen) : []) {
      const target = targetOf(nameIn(item) ?? "", undefined, () => undefined);
      if (target !== undefined && target !== "back") add(target.to);
    }
  }
  if (!isListed && offered.size === 0) return null;
  for (const name of known) add(name);
  return [...offered];
}

const speaksOfTransfer = /transfer|hand[_-]?off|handover|delegate|escalate/i;

/** The tool definitions of a span where they may hold a transfer; `seen`: texts that were read, which most calls repeat. */
function transfersIn(node: SpanNode, seen: Set<string>): readonly JsonValue[] {
  const text = node.text("toolDefinitions");
  if (text !== undefined) {
    if (seen.has(text) || !speaksOfTransfer.test(text)) return [];
    seen.add(text);
  }
  return listIn(node.json("toolDefinitions")) ?? [];
}

function listIn(value: JsonValue | undefined): readonly JsonValue[] | undefined {
  const list = value === undefined ? undefined : unfold(value, 1);
  return isArray(list) ? list : undefined;
}

/** The name of an agent or a tool, as text, as an object, or wrapped. */
function nameIn(item: JsonValue, depth = 0): string | undefined {
  const value = unfold(item, 1);
  if (typeof value === "string") return value === "" ? undefined : value;
  if (!isObject(value) || depth === DEEPEST) return undefined;
  const name = value["name"] ?? value["agent_name"];
  if (typeof name === "string") return name;
  for (const key of wrappers) {
    const inner = value[key];
    if (isObject(inner) || typeof inner === "string") return nameIn(inner, depth + 1);
  }
  return undefined;
}
