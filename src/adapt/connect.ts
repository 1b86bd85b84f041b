import type { Trace } from "../assemble/trace.ts";
import type { Piece } from "./piece.ts";

/** Ties each piece to the nearest span above it that counts. `pieces`: one for each of the trace's spans. */
export function connect(trace: Trace, pieces: readonly Piece[]): void {
  const parents = parentsOf(trace);
  const circles = hasCircle(parents);
  for (let index = 0; index < pieces.length; index++) {
    const piece = pieces[index] as Piece;
    let at = parents[index] as number;
    for (let hops = 0; at >= 0 && isNone(pieces[at] as Piece); hops++)
      at = hops < pieces.length ? (parents[at] as number) : -1;
    if (at < 0) continue;
    const parent = pieces[at] as Piece;
    if (circles && closesCircle(piece, parent)) continue;
    piece.parent = parent;
    if (piece.role !== "copy") parent.children.push(piece);
  }
}

/** It shows what another span shows, or passes it on. */
export function isNone({ role }: Piece): boolean {
  return role === "copy" || role === "message";
}

/** For each span of a trace the index of its parent, -1 where it has none here. */
export function parentsOf({ parents, spans }: Trace): Int32Array {
  if (parents !== undefined) return parents;
  const byId = new Map(spans.map(({ spanId }, index) => [spanId, index]));
  return Int32Array.from(spans, ({ parentSpanId: id }, index) => {
    const parent = id === undefined ? undefined : byId.get(id);
    return parent === undefined || parent === index ? -1 : parent;
  });
}

/** Whether any span is its own ancestor. Each is walked over once, whatever the depth; a parent before its child needs no walk. */
function hasCircle(parents: Int32Array): boolean {
  let ordered = true;
  for (let index = 0; index < parents.length; index++)
    if ((parents[index] as number) >= index) ordered = false;
  if (ordered) return false;
  if (parents.length <= FEW) return isEndless(parents);
  const walk = new Int32Array(parents.length);
  for (let index = 0; index < parents.length; index++) {
    let at = index;
    while (at >= 0 && walk[at] === 0) {
      walk[at] = index + 1;
      at = parents[at] as number;
    }
    if (at >= 0 && walk[at] === index + 1) return true;
  }
  return false;
}

/** Of so few spans each can be followed upwards, without noting where one was. */
const FEW = 32;

function isEndless(parents: Int32Array): boolean {
  for (let index = 0; index < parents.length; index++) {
    let at = index;
    for (let hops = 0; at >= 0; hops++) {
      if (hops > parents.length) return true;
      at = parents[at] as number;
    }
  }
  return false;
}

/** Ids come from strangers: a span may name its own descendant as parent. */
function closesCircle(piece: Piece, parent: Piece): boolean {
  for (let at: Piece | undefined = parent; at !== undefined; at = at.parent) if (at === piece) return true;
  return false;
}
