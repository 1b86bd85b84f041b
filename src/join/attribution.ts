import type { Call } from "../adapt/call.ts";
import type { Piece } from "../adapt/piece.ts";
import { agentOfSpan, isAgentName, nameInSpan } from "./agent-names.ts";
import { agentInMetadata } from "./graph-path.ts";

/** Who is at work in a span, as far as the span itself and those above it say. */
export function agentOfPiece(piece: Piece, targets: ReadonlyMap<Piece, string>): string | undefined {
  const inMetadata = agentInMetadata(piece);
  if (inMetadata !== undefined) return inMetadata;
  for (let at: Piece | undefined = piece; at !== undefined; at = at.parent) {
    if (at !== piece && at.role === "tool") {
      const target = targets.get(at);
      if (target !== undefined) return target;
    }
    const name = at.role === "agent" ? agentOfSpan(at) : ownName(at, piece);
    if (name !== undefined) return name;
  }
  return undefined;
}

/** The agent that a span of another kind names as its own; what is said further up is about others. */
function ownName(at: Piece, piece: Piece): string | undefined {
  if (at !== piece && at.role !== "workflow" && at.role !== "step") return undefined;
  const given = at.text("agent");
  return isAgentName(given) ? given : undefined;
}

/** Where no span is an agent's: the name of the nearest workflow or chain. */
export function chainAround(piece: Piece): string | undefined {
  for (let at: Piece | undefined = piece; at !== undefined; at = at.parent) {
    if (at.role !== "workflow") continue;
    const name = at.text("workflow") ?? nameInSpan(at.span.name);
    if (isAgentName(name)) return name;
  }
  return undefined;
}

/** The name on the message that a call returned. */
export function agentOnMessage(call: Call): string | undefined {
  return call.outputs.map((message) => message.name).find(isAgentName);
}
