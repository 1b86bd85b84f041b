import type { Evidence } from "./evidence.ts";
import { Nearest } from "../adapt/nearest.ts";
import type { Piece } from "../adapt/piece.ts";
import { exceptionsOf } from "../adapt/read-failure.ts";
import { Phrases } from "./phrases.ts";

/**
 * Failed: the last call did, or the root or an agent did and no call came after it, or a guardrail stopped the run. Errors of
 * tools, and attempts that were tried again, are not the run's.
 */
export function statusOf(evidence: Evidence): "ok" | "error" | null {
  return failureOf(evidence) === undefined ? "ok" : "error";
}

export function failureOf(evidence: Evidence): string | undefined {
  return evidence.once(findFailure);
}

function findFailure(evidence: Evidence): string | undefined {
  const served = evidence.calls[evidence.calls.length - 1];
  const failed = evidence.failedCalls[evidence.failedCalls.length - 1];
  if (failed !== undefined && (served === undefined || failed.start > served.start))
    return failed.failure ?? "error";
  const tripped = evidence.pieces.find((piece) => piece.role === "guardrail" && isTripped(piece));
  if (tripped !== undefined) return `guardrail ${tripped.text("guardrail") ?? tripped.span.name}`;
  const lastStart = served?.start ?? 0;
  const inTool = new Nearest(({ role }) => (role === "tool" ? true : undefined));
  for (const piece of evidence.pieces) {
    const speaksForRun =
      piece === evidence.root || piece.role === "agent" || piece.role === "workflow" || piece.role === "step";
    if (!speaksForRun || piece.failure === null || inTool.of(piece.parent) === true) continue;
    if (piece.end >= lastStart && !wentOn(piece, evidence) && !isCopied(piece, evidence))
      return piece.failure;
  }
  return undefined;
}

export function isTripped(piece: Piece): boolean {
  return piece.reading.boolean("triggered") === true || piece.failure !== null;
}

/**
 * Some processors copy a failure onto the spans around it and beside it: its exception is another span's, and this one has a
 * result of its own.
 */
export function isCopied(piece: Piece, evidence: Evidence): boolean {
  const { failure, span } = piece;
  if (failure === null || exceptionsOf(span).length > 0) return false;
  if (
    !piece.has("output") &&
    !piece.has("outputMessages") &&
    !piece.has("outputText") &&
    !piece.has("result")
  )
    return false;
  return evidence.once(exceptionsIn).anyWithin(failure);
}

function exceptionsIn({ pieces }: Evidence): Phrases {
  return new Phrases(pieces.flatMap(({ span }) => exceptionsOf(span)));
}

/** A call started after the failure: it was handled. */
function wentOn(piece: Piece, evidence: Evidence): boolean {
  return piece !== evidence.root && evidence.once(lastCallStart) >= piece.end;
}

function lastCallStart({ calls }: Evidence): number {
  return calls.reduce((latest, { start }) => Math.max(latest, start), -Infinity);
}
