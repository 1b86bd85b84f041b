import { answerIn, lastText } from "../adapt/read-texts.ts";
import type { Piece } from "../adapt/piece.ts";
import type { Evidence } from "./evidence.ts";
import { fromRoot } from "./query.ts";
import type { Steps } from "./steps.ts";

/**
 * What the run answered: the text of its last call, if that asked for nothing and was the main agent's; else what the root
 * returned. A run that failed, or stopped at a tool call, has no answer.
 */
export function answerOf(evidence: Evidence, steps: () => Steps, failed: boolean): string | null {
  if (failed) return null;
  const last = evidence.lastCall;
  if (last === undefined) return rootAnswer(evidence) ?? null;
  const said = last.text;
  if (said === undefined || belongsToInner(evidence, last.piece) || steps().steps.some(isFinalAnswer)) {
    const returned = rootAnswer(evidence);
    if (returned !== undefined) return returned;
  }
  return said ?? null;
}

function isFinalAnswer({ aside }: { aside: boolean }): boolean {
  return aside;
}

/** A call inside a tool's span speaks to the agent that used the tool, not to the user. */
function belongsToInner(evidence: Evidence, piece: Piece): boolean {
  for (let at = piece.parent; at !== undefined; at = at.parent) {
    if (at.role === "tool") return evidence.root.span.endUnixMs > at.end;
  }
  return false;
}

function rootAnswer(evidence: Evidence): string | undefined {
  for (const piece of fromRoot(evidence)) {
    const found = pieceAnswer(piece);
    if (found !== undefined) return found;
  }
  return undefined;
}

export function pieceAnswer(piece: Piece): string | undefined {
  for (const field of ["outputText", "outputMessages", "output"] as const) {
    for (const value of piece.reading.all(field)) {
      const found = answerIn(value);
      if (found !== undefined) return found;
    }
  }
  return (
    lastText(piece.attached.outputs, "assistant") ??
    answerIn(piece.json("outputText") ?? piece.json("output"))
  );
}
