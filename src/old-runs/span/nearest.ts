import type { SpanNode } from "./span-node.ts";

/** So far up every node looks for itself: most lie no deeper, and nothing has to be noted for them. */
const SHALLOW = 16;

/**
 * What the nearest span tells, from a span itself upwards, that tells anything. However deep they lie, looking up from all spans of a trace
 * takes no longer than looking at each of them: `tell` must depend on nothing but the node.
 */
export class Nearest<T> {
  readonly #tell: (node: SpanNode) => T | undefined;
  /** Made when a span lies deep. */
  #known: Map<SpanNode, T | undefined> | undefined;

  constructor(tell: (node: SpanNode) => T | undefined) {
    this.#tell = tell;
  }

  of(node: SpanNode | undefined): T | undefined {
    let at = node;
    for (let hops = 0; hops < SHALLOW && at !== undefined; hops++) {
      const told = this.#tell(at);
      if (told !== undefined) return told;
      at = at.parent;
    }
    return at === undefined ? undefined : this.#fromDeep(at);
  }

  #fromDeep(from: SpanNode): T | undefined {
    const known = (this.#known ??= new Map());
    const silent: SpanNode[] = [];
    let found: T | undefined;
    for (let at: SpanNode | undefined = from; at !== undefined; at = at.parent) {
      found = known.get(at) ?? this.#tell(at);
      if (found !== undefined || known.has(at)) break;
      silent.push(at);
    }
    for (const one of silent) known.set(one, found);
    return found;
  }
}
