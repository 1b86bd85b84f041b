import type { JsonValue } from "../../model/json.ts";
import { indexIn } from "./keys-below.ts";

/** Maximum number of key parts below the prefix. Deeper keys are ignored. */
const MAX_PARTS = 32;
export const MAX_LEAVES = 20_000;
/** For more parts than this, searches use a map. */
const FEW_PARTS = 16;

/** An inner node of the tree: its parts in order of arrival, and for each part its value or child node. */
class Branch {
  readonly parts: string[] = [];
  readonly below: (Branch | JsonValue)[] = [];
  #places: Map<string, number> | undefined;

  /**
   * Returns the index of a part; -1 if there is none. The last part is compared first, because attributes of one item are mostly adjacent.
   */
  placeOf(part: string): number {
    const last = this.parts.length - 1;
    if (this.parts[last] === part) return last;
    return this.#places === undefined ? this.parts.indexOf(part) : (this.#places.get(part) ?? -1);
  }

  add(part: string, value: Branch | JsonValue): void {
    const place = this.parts.push(part) - 1;
    this.below.push(value);
    if (this.#places !== undefined) this.#places.set(part, place);
    else if (place === FEW_PARTS) this.#places = new Map(this.parts.map((one, at) => [one, at]));
  }
}

/** Builds the nested value that keys with dots form, such as `a.b` and `a.c`. */
export class TreeBuilder {
  readonly #root = new Branch();
  #leaves = 0;

  /**
   * Adds a value under the parts of a key that begin at index `from`. If one key is the beginning of another (`a` and `a.b`), the value of
   * the longer key takes precedence.
   */
  add(parts: readonly string[], from: number, value: JsonValue): void {
    if (parts.length - from > MAX_PARTS || ++this.#leaves > MAX_LEAVES) return;
    let branch = this.#root;
    for (let at = from; at < parts.length - 1; at++) branch = branchBelow(branch, parts[at] ?? "");
    const last = parts[parts.length - 1] ?? "";
    const place = branch.placeOf(last);
    if (place < 0) branch.add(last, value);
    else if (!(branch.below[place] instanceof Branch)) branch.below[place] = value;
  }

  /** Returns the nested value; `undefined` if nothing was added. */
  result(): JsonValue | undefined {
    return this.#leaves === 0 ? undefined : valueOf(this.#root);
  }
}

function branchBelow(branch: Branch, part: string): Branch {
  const place = branch.placeOf(part);
  const known = place < 0 ? undefined : branch.below[place];
  if (known instanceof Branch) return known;
  const fresh = new Branch();
  if (place < 0) branch.add(part, fresh);
  else branch.below[place] = fresh;
  return fresh;
}

/**
 * Converts a node. A leaf is returned unchanged. A branch becomes a list, ordered by index, if all its parts are indices; otherwise an
 * object.
 */
function valueOf(one: Branch | JsonValue): JsonValue {
  if (!(one instanceof Branch)) return one;
  const { parts, below } = one;
  if (!parts.every(isIndex)) {
    const object = Object.create(null) as Record<string, JsonValue>;
    for (const [at, part] of parts.entries()) object[part] = valueOf(below[at] ?? null);
    return object;
  }
  if (isAscending(parts)) return below.map(valueOf);
  const order = parts.map((part, at) => ({ index: Number(part), at })).sort((a, b) => a.index - b.index);
  return order.map(({ at }) => valueOf(below[at] ?? null));
}

function isIndex(part: string): boolean {
  return !Number.isNaN(indexIn(part));
}

function isAscending(parts: readonly string[]): boolean {
  for (let at = 1; at < parts.length; at++) if (Number(parts[at - 1]) > Number(parts[at])) return false;
  return true;
}
