import type { Piece } from "../adapt/piece.ts";
import { agentOfSpan, isAgentName } from "./agent-names.ts";

export interface HandoffSpan {
  readonly spanId: string;
  readonly from: string | null;
  readonly to: string;
  readonly at: number;
}

const names: readonly RegExp[] = [
  /^(?:hand-?off|handoff):?\s+(?<from>.+?)\s*(?:→|->)\s*(?<to>.+)$/i,
  /^(?<from>.+?)\s*(?:→|->)\s*(?<to>.+?)(?:\.handoff)?$/i,
  /^(?:handoff|transfer) to (?<to>.+)$/i,
];

/** The spans that are hand-offs themselves. Where one does not name its target, the agent that starts next is it. */
export function handoffSpans(pieces: readonly Piece[]): HandoffSpan[] {
  const spans: HandoffSpan[] = [];
  for (const piece of pieces) {
    if (piece.role !== "handoff") continue;
    const match = names
      .map((pattern) => pattern.exec(piece.span.name))
      .find((found) => found !== null)?.groups;
    const from = [piece.text("handoffFrom"), match?.["from"]].find(isAgentName) ?? null;
    const to = [piece.text("handoffTo"), match?.["to"]].find(isAgentName) ?? nextAgent(piece, pieces, from);
    if (to !== undefined) spans.push({ spanId: piece.span.spanId, from, to, at: piece.start });
  }
  return spans;
}

function nextAgent(piece: Piece, pieces: readonly Piece[], from: string | null): string | undefined {
  for (const other of pieces) {
    if (other.role !== "agent" || other.start < piece.start) continue;
    const name = agentOfSpan(other);
    if (name !== undefined && name !== from) return name;
  }
  return undefined;
}
