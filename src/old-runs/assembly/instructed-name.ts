import { isAgentName, isOperation } from "../span/agent-name.ts";
import type { SpanNode } from "../span/span-node.ts";
import { lastText } from "../span/read-texts.ts";
import type { Evidence } from "./evidence.ts";

/** The system instructions of the first model call; null where no call shows any. */
export function instructionsOf({ calls: [first] }: Pick<Evidence, "calls">): string | null {
  return first === undefined
    ? null
    : (first.node.text("instructions") ?? lastText(first.inputs, "system") ?? null);
}

/** The name of an application's own span around the run, where the instructions call the model so: that span is the agent's. */
export function instructedName(evidence: Pick<Evidence, "calls" | "root">): string | undefined {
  const instructions = instructionsOf(evidence)?.slice(0, beginning);
  if (instructions === undefined) return undefined;
  let at: SpanNode | undefined = evidence.root;
  for (let hops = 0; at !== undefined && hops < mostSpans; hops++, at = at.parent) {
    const { name } = at.span;
    if (at.role === "unknown" && isAgentName(name) && !isOperation(name) && introduces(instructions, name))
      return name;
  }
  return undefined;
}

/** Characters of the instructions in which an introduction is looked for, and spans above the run's outermost. */
const beginning = 1000;
const mostSpans = 8;
const introduction = /\b(?:you are|you're|i am|your name is|named|called|act as)(?: an?| the)?[\s"'`*]+$/i;
/** Another word right behind it would be what the model is, `You are a chat assistant`, and the name only part of that. */
const afterName = /^(?:$|["'`*.,;:!?)\n]|\s+(?:of|at|for|from|in|on|and|who|which|that)\b)/;

function introduces(instructions: string, name: string): boolean {
  for (let at = instructions.indexOf(name); at >= 0; at = instructions.indexOf(name, at + 1)) {
    const isWhole = afterName.test(instructions.slice(at + name.length));
    if (isWhole && introduction.test(instructions.slice(0, at))) return true;
  }
  return false;
}
