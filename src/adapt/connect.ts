import type { Trace } from "../assemble/trace.ts";
import type { Piece } from "./piece.ts";

/** Ties each piece to the nearest span above it that counts. `pieces`: one for each of the trace's spans. */
export function connect(trace: Trace, pieces: readonly Piece[]): void {
  const parents = parentsOf(trace);
  const tops = hasCircle(parents) ? new Tops() : undefined;
  const counted = new Counted(pieces, parents);
  for (let index = 0; index < pieces.length; index++) {
    const piece = pieces[index] as Piece;
    const own = parents[index] as number;
    piece.parentCame = own >= 0;
    const at = counted.from(own);
    if (at < 0) continue;
    const parent = pieces[at] as Piece;
    // Ids come from strangers: a span may name its own descendant as parent.
    if (tops !== undefined && tops.of(parent) === piece) continue;
    piece.parent = parent;
    tops?.join(piece, parent);
    if (piece.role !== "copy") parent.children.push(piece);
  }
}

/** It shows what another span shows, or passes it on. */
export function isNone({ role }: Piece): boolean {
  return role === "copy" || role === "message";
}

/** Finds the nearest span that counts, by its index; each of a chain that does not count is passed once. */
class Counted {
  readonly #pieces: readonly Piece[];
  readonly #parents: Int32Array;
  #known: Map<number, number> | undefined;

  constructor(pieces: readonly Piece[], parents: Int32Array) {
    this.#pieces = pieces;
    this.#parents = parents;
  }

  /** From a span itself upwards; -1 where none counts, also in a circle. */
  from(index: number): number {
    if (index < 0 || !isNone(this.#pieces[index] as Piece)) return index;
    const known = (this.#known ??= new Map());
    const passed: number[] = [];
    let at = index;
    while (at >= 0 && isNone(this.#pieces[at] as Piece) && !known.has(at)) {
      // Till its end is known: whoever comes by here again walks in a circle.
      known.set(at, -1);
      passed.push(at);
      at = this.#parents[at] as number;
    }
    const found = known.get(at) ?? at;
    for (const one of passed) known.set(one, found);
    return found;
  }
}

/** The outermost span above each, while spans are tied to each other: chains get shorter wherever they are walked. */
class Tops {
  readonly #above = new Map<Piece, Piece>();

  of(piece: Piece): Piece {
    let top = piece;
    for (let next = this.#above.get(top); next !== undefined; next = this.#above.get(top)) top = next;
    for (let at = piece; at !== top;) {
      const next = this.#above.get(at) ?? top;
      this.#above.set(at, top);
      at = next;
    }
    return top;
  }

  /** `piece` had nothing above it yet. */
  join(piece: Piece, parent: Piece): void {
    this.#above.set(piece, parent);
  }
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
