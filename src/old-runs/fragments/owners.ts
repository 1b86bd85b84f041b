import type { SpanNode } from "../span/span-node.ts";

/** A span of an agent's work. What holds sessions, and what is not about agents, is none. */
export function isAbout({ role }: SpanNode): boolean {
  return role !== "unknown" && role !== "session" && role !== "setup" && role !== "message";
}

/** A span that may hold a run: of an agent, of a workflow, or of a step with spans below it. */
export function isOwner({ role, children }: SpanNode): boolean {
  return role === "agent" || role === "workflow" || (role === "step" && children.length > 0);
}
