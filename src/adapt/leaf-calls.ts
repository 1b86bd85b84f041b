import { Call } from "./call.ts";
import type { Piece } from "./piece.ts";
import { StateMessages } from "./state-messages.ts";

/**
 * The model calls among the spans of a trace. Of call spans within each other the innermost counts, and those around it that
 * hold just this one call lend it what it lacks; agents and tools between two call spans make them two calls.
 */
export function leafCalls(pieces: readonly Piece[]): Call[] {
  const spans = pieces.filter((piece) => piece.role === "call");
  if (spans.length === 0) return [];
  const around = new Map(spans.map((piece) => [piece, callsAround(piece)]));
  const held = new Map<Piece, number>();
  const outer = new Set<Piece>();
  for (const piece of spans) {
    const above = around.get(piece) ?? [];
    if (above.length > 0 && isPart(piece, above)) continue;
    for (const one of above) outer.add(one);
  }
  const leaves = spans.filter((piece) => !outer.has(piece) && !isPart(piece, around.get(piece) ?? []));
  for (const leaf of leaves)
    for (const one of around.get(leaf) ?? []) held.set(one, (held.get(one) ?? 0) + 1);
  const state = new StateMessages(pieces);
  return leaves.map((leaf) => {
    const above = around.get(leaf) ?? [];
    return new Call(
      leaf,
      above.filter((one) => held.get(one) === 1),
      above,
      state,
    );
  });
}

function callsAround(piece: Piece): Piece[] {
  const above: Piece[] = [];
  for (let at = piece.parent; at !== undefined; at = at.parent) {
    if (at.role === "call") above.push(at);
    else if (at.role === "agent" || at.role === "tool" || at.role === "handoff") break;
  }
  return above;
}

/** A chunk or attempt within a call: it has neither model nor usage, and what is around it has. */
function isPart(piece: Piece, above: readonly Piece[]): boolean {
  return !isCounted(piece) && above.some(isCounted);
}

function isCounted({ reading }: Piece): boolean {
  return (
    reading.has("requestModel") ||
    reading.has("responseModel") ||
    reading.has("model") ||
    reading.has("inputTokens") ||
    reading.has("usage")
  );
}
