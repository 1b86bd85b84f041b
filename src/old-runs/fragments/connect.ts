import type { Trace } from "../../assemble/trace.ts";
import type { SpanNode } from "../span/span-node.ts";

/** Links each node to the nearest span above it that counts. `nodes`: one for each of the trace's spans. */
export function connect(trace: Trace, nodes: readonly SpanNode[]): void {
  const parents = parentsOf(trace);
  const tops = hasCircle(parents) ? new Tops() : undefined;
  const counted = new Counted(nodes, parents);
  for (let index = 0; index < nodes.length; index++) {
    const node = nodes[index] as SpanNode;
    const own = parents[index] as number;
    node.parentCame = own >= 0;
    const at = counted.from(own);
    if (at < 0) continue;
    const parent = nodes[at] as SpanNode;
    // Ids are untrusted input: a span may name its own descendant as parent.
    if (tops !== undefined && tops.of(parent) === node) continue;
    node.parent = parent;
    tops?.join(node, parent);
    if (node.role !== "copy") parent.adopt(node);
  }
}

/** It shows what another span shows, or passes it on. */
export function isNone({ role }: SpanNode): boolean {
  return role === "copy" || role === "message";
}

/** Finds the nearest span that counts, by its index; each of a chain that does not count is passed once. */
class Counted {
  readonly #nodes: readonly SpanNode[];
  readonly #parents: Int32Array;
  #known: Map<number, number> | undefined;

  constructor(nodes: readonly SpanNode[], parents: Int32Array) {
    this.#nodes = nodes;
    this.#parents = parents;
  }

  /** From a span itself upwards; -1 where none counts, also in a circle. */
  from(index: number): number {
    if (index < 0 || !isNone(this.#nodes[index] as SpanNode)) return index;
    const known = (this.#known ??= new Map());
    const passed: number[] = [];
    let at = index;
    while (at >= 0 && isNone(this.#nodes[at] as SpanNode) && !known.has(at)) {
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
  readonly #above = new Map<SpanNode, SpanNode>();

  of(node: SpanNode): SpanNode {
    let top = node;
    for (let next = this.#above.get(top); next !== undefined; next = this.#above.get(top)) top = next;
    for (let at = node; at !== top;) {
      const next = this.#above.get(at) ?? top;
      this.#above.set(at, top);
      at = next;
    }
    return top;
  }

  /** `node` had nothing above it yet. */
  join(node: SpanNode, parent: SpanNode): void {
    this.#above.set(node, parent);
  }
}

/** For each span of a trace the index of its parent, -1 where it has none here. */
function parentsOf({ parents, spans }: Trace): Int32Array {
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
