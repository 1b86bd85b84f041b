import type { JsonValue } from "../../model/json.ts";

/** Keys are split into at most this many parts below the prefix; deeper ones are left out. */
const MAX_PARTS = 32;
export const MAX_LEAVES = 20_000;

type Node = Map<string, Node | Leaf>;
/** Boxed, to distinguish a leaf from a branch. */
interface Leaf {
  readonly value: JsonValue;
}

/** Builds the nested value that keys with dots spread out. */
export class TreeBuilder {
  private readonly root: Node = new Map();
  private leaves = 0;

  /** Adds a value under the parts of a key from `from` on. Where one key is another's prefix, the longer one wins. */
  add(parts: readonly string[], from: number, value: JsonValue): void {
    if (parts.length - from > MAX_PARTS || ++this.leaves > MAX_LEAVES) return;
    let node = this.root;
    for (let i = from; i < parts.length - 1; i++) {
      const part = parts[i] ?? "";
      const next = node.get(part);
      if (next instanceof Map) node = next;
      else {
        const fresh: Node = new Map();
        node.set(part, fresh);
        node = fresh;
      }
    }
    const last = parts[parts.length - 1] ?? "";
    if (!(node.get(last) instanceof Map)) node.set(last, { value });
  }

  /** `undefined` when nothing was added. */
  result(): JsonValue | undefined {
    return this.leaves === 0 ? undefined : plain(this.root);
  }
}

function plain(node: Node | Leaf): JsonValue {
  if (!(node instanceof Map)) return node.value;
  const keys = [...node.keys()];
  if (keys.every(isIndex)) {
    return keys.sort((a, b) => Number(a) - Number(b)).map((key) => plain(node.get(key) ?? NULL));
  }
  const object = Object.create(null) as Record<string, JsonValue>;
  for (const [key, child] of node) object[key] = plain(child);
  return object;
}

const NULL: Leaf = { value: null };

function isIndex(key: string): boolean {
  return /^\d{1,9}$/.test(key);
}
