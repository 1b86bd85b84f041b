import { Nearest } from "../span/nearest.ts";
import type { SpanNode } from "../span/span-node.ts";
import type { Evidence } from "./evidence.ts";

/** Spans by the tool's span in which they are, if any. */
export function toolsAround(): Nearest<SpanNode> {
  return new Nearest((node) => (node.role === "tool" ? node : undefined));
}

/**
 * The spans whose output may be the run's answer, best first: the outermost one, then the agents within it that no tool ran, the last to
 * end first. A tool's span as root has no agent in the data: its output is a result, not an answer.
 */
export function* speakersOf({ root, nodes }: Pick<Evidence, "root" | "nodes">): Generator<SpanNode> {
  if (root.role !== "tool") yield root;
  const tools = toolsAround();
  const inner = nodes.filter((node) => isSpeaker(node) && tools.of(node.parent) === undefined);
  yield* inner.sort((a, b) => b.end - a.end);
}

/** An agent, or the one step in which all of a run lies. */
function isSpeaker(node: SpanNode): boolean {
  if (node.role === "agent" || node.role === "workflow") return true;
  return node.role === "step" && node.parent?.children.length === 1;
}
