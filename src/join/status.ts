import type { Evidence } from "./evidence.ts";
import type { Piece } from "../adapt/piece.ts";

/**
 * Failed: the last call did, or the root or an agent did and no call came after it, or a guardrail stopped the run. Errors of
 * tools, and attempts that were tried again, are not the run's.
 */
export function statusOf(evidence: Evidence): "ok" | "error" | null {
  return failureOf(evidence) === undefined ? "ok" : "error";
}

export function failureOf(evidence: Evidence): string | undefined {
  const served = evidence.calls[evidence.calls.length - 1];
  const failed = evidence.failedCalls[evidence.failedCalls.length - 1];
  if (failed !== undefined && (served === undefined || failed.start > served.start))
    return failed.failure ?? "error";
  const tripped = evidence.pieces.find((piece) => piece.role === "guardrail" && isTripped(piece));
  if (tripped !== undefined) return `guardrail ${tripped.text("guardrail") ?? tripped.span.name}`;
  const lastStart = served?.start ?? 0;
  for (const piece of evidence.pieces) {
    const speaksForRun =
      piece === evidence.root || piece.role === "agent" || piece.role === "workflow" || piece.role === "step";
    if (!speaksForRun || piece.failure === null || isInTool(piece)) continue;
    if (piece.end >= lastStart && !wentOn(piece, evidence)) return piece.failure;
  }
  return undefined;
}

export function isTripped(piece: Piece): boolean {
  return piece.reading.boolean("triggered") === true || piece.failure !== null;
}

function isInTool(piece: Piece): boolean {
  for (let at = piece.parent; at !== undefined; at = at.parent) if (at.role === "tool") return true;
  return false;
}

/** A call started after the failure: it was handled. */
function wentOn(piece: Piece, evidence: Evidence): boolean {
  return piece !== evidence.root && evidence.calls.some((call) => call.start >= piece.end);
}
