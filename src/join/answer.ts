import { looseValue } from "../adapt/guess/loose-events.ts";
import { answerIn, lastText, structuredAnswer } from "../adapt/read-texts.ts";
import { Nearest } from "../adapt/nearest.ts";
import type { Piece } from "../adapt/piece.ts";
import type { Evidence } from "./evidence.ts";
import type { Steps } from "./steps.ts";

/**
 * What the run answered: the text of its last call, if that asked for nothing and was the main agent's; else what the root
 * returned. A run that failed, or stopped at a tool call, has no answer.
 */
export function answerOf(evidence: Evidence, steps: () => Steps, failed: boolean): string | null {
  if (failed) return null;
  const last = evidence.lastCall;
  if (last === undefined) return rootAnswer(evidence) ?? emptyAnswer(evidence.root) ?? null;
  const said = last.text;
  if (said === undefined || belongsToInner(evidence, last.piece) || steps().steps.some(isFinalAnswer)) {
    const returned = rootAnswer(evidence);
    if (returned !== undefined) return returned;
  }
  return said ?? emptyAnswer(last) ?? null;
}

/** The words were captured, and there are none: that is an answer. */
export function emptyAnswer({ outputs }: Pick<Piece, "outputs">): "" | undefined {
  const isEmpty = outputs.every(
    ({ role, text, calls }) => role === "assistant" && text === "" && calls.length === 0,
  );
  return isEmpty && outputs.length > 0 ? "" : undefined;
}

function isFinalAnswer({ aside }: { aside: boolean }): boolean {
  return aside;
}

/** A call inside a tool's span speaks to the agent that used the tool, not to the user. */
function belongsToInner(evidence: Evidence, piece: Piece): boolean {
  const tool = toolsAround().of(piece.parent);
  return tool !== undefined && evidence.root.end > tool.end;
}

function toolsAround(): Nearest<Piece> {
  return new Nearest((piece) => (piece.role === "tool" ? piece : undefined));
}

/** What the outermost span returned, else the agents within it, the last to end first. */
function rootAnswer(evidence: Evidence): string | undefined {
  const { root } = evidence;
  // A tool that ran for nobody in the data answers nobody.
  const own = root.role === "tool" ? undefined : (pieceAnswer(root) ?? structuredAnswer(root.json("output")));
  if (own !== undefined) return own;
  const tools = toolsAround();
  const inner = evidence.pieces.filter((piece) => isSpeaker(piece) && tools.of(piece.parent) === undefined);
  for (const piece of inner.sort((a, b) => b.end - a.end)) {
    const found = pieceAnswer(piece);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** An agent, or the one step in which all of a run lies. */
function isSpeaker(piece: Piece): boolean {
  if (piece.role === "agent" || piece.role === "workflow") return true;
  return piece.role === "step" && piece.parent?.children.length === 1;
}

/** By what adapters declare, else by the looks of what they do not. */
export function pieceAnswer(piece: Piece): string | undefined {
  const known = knownAnswer(piece) ?? (piece.reading.guess() === undefined ? undefined : knownAnswer(piece));
  return known ?? answerIn(looseValue(piece.attached.loose, "outputMessages", "output"));
}

function knownAnswer(piece: Piece): string | undefined {
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
