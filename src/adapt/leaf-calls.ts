import { Call } from "./call.ts";
import { CallLayers, isCounted } from "./call-layers.ts";
import type { Piece } from "./piece.ts";
import { StateMessages } from "./state-messages.ts";

/**
 * The model calls among the spans of a trace. Of call spans within each other the innermost counts, and those around it that
 * hold just this one call lend it what it lacks; agents and tools between two call spans make them two calls.
 */
export function leafCalls(pieces: readonly Piece[]): Call[] {
  const spans = pieces.filter((piece) => piece.role === "call");
  if (spans.length === 0) return [];
  const layers = new CallLayers();
  const isPart = (piece: Piece): boolean => !isCounted(piece) && layers.isWithinCounted(piece);
  const whole = spans.filter((piece) => !isPart(piece));
  const outer = new Set<Piece>();
  // Once one is known to be an outer one, so are all above it.
  for (const piece of whole)
    for (let at = layers.above(piece); at !== undefined && !outer.has(at); at = layers.above(at))
      outer.add(at);
  const leaves = whole.filter((piece) => !outer.has(piece));
  const held = countHeld(leaves, layers);
  const state = new StateMessages(pieces);
  return leaves.map((leaf) => new Call(leaf, aroundOnly(leaf, held, layers), layers, state));
}

/** For each call span around others how many it holds, where it is more than one: two. */
function countHeld(leaves: readonly Piece[], layers: CallLayers): Map<Piece, number> {
  const held = new Map<Piece, number>();
  for (const leaf of leaves) {
    for (let at = layers.above(leaf); at !== undefined; at = layers.above(at)) {
      const known = held.get(at) ?? 0;
      // What is further out holds at least as many.
      if (known > 1) break;
      held.set(at, known + 1);
    }
  }
  return held;
}

/** The spans around a call that hold no other. */
function aroundOnly(leaf: Piece, held: ReadonlyMap<Piece, number>, layers: CallLayers): Piece[] {
  const around: Piece[] = [];
  for (let at = layers.above(leaf); at !== undefined && held.get(at) === 1; at = layers.above(at))
    around.push(at);
  return around;
}
