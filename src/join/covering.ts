import type { Call } from "../adapt/call.ts";
import type { Piece } from "../adapt/piece.ts";
import { readTool } from "../adapt/read-tool.ts";
import { plainName } from "../adapt/messages/pick.ts";

/** The spans and model calls of the run that a call belongs to. */
interface Surroundings {
  readonly toolPieces: readonly Piece[];
  readonly calls: readonly Call[];
}

/**
 * Whether one span stands for several model calls: tools ran within its time, and either its own history has their results,
 * or it ended by itself and asked for nothing. How many calls it was cannot be told.
 */
export function coversSeveral(call: Call, evidence: Surroundings): boolean {
  const { toolPieces } = evidence;
  if (!toolPieces.some((piece) => isRunBy(piece, call))) return false;
  const ran = toolPieces.filter((piece) => isRunBy(piece, call));
  const last = Math.max(...ran.map(({ end }) => end));
  const wentOn = evidence.calls.some(
    (other) => other.start >= last && other.piece.parent === call.piece.parent,
  );
  if (!wentOn && call.finish === "stop" && call.requests.length === 0) return true;
  return ran.some((piece) => holdsResult(call, piece));
}

function isRunBy(piece: Piece, call: Call): boolean {
  return piece.start >= call.start && piece.end <= call.end && isBeside(piece, call);
}

/** Next to the call's span, or right below it. */
function isBeside(piece: Piece, { piece: span }: Call): boolean {
  return piece.parent === span || (span.parent !== undefined && piece.parent === span.parent);
}

function holdsResult(call: Call, piece: Piece): boolean {
  const { callId, name } = readTool(piece);
  return call.inputs.some((message) =>
    message.results.some((result) =>
      callId !== undefined && result.callId !== null
        ? result.callId === callId
        : name !== undefined && result.name !== null && plainName(result.name) === plainName(name),
    ),
  );
}
