import { plainName } from "../messages/pick.ts";
import { SetIndex } from "../search/set-index.ts";
import { sameTool } from "./same-tool.ts";

/** With so few names each is compared. */
const FEW = 8;

/** Finds the names of tools that may stand for another, without comparing it with each of many. */
export class AlikeNames {
  readonly #names: Set<string>;
  /** Added, and not indexed yet. */
  readonly #added: string[];
  readonly #byPlain = new SetIndex<string, string>();
  /** By what follows a separator within them. */
  readonly #byEnd = new SetIndex<string, string>();
  /** With too many separators to note the end after each. */
  readonly #manifold: string[] = [];

  constructor(names: Iterable<string> = []) {
    this.#names = new Set(names);
    this.#added = [...this.#names];
  }

  add(name: string): void {
    if (this.#names.has(name)) return;
    this.#names.add(name);
    this.#added.push(name);
  }

  /** All that `sameTool` holds for the same. */
  to(name: string): Iterable<string> {
    const ends = this.#names.size <= FEW ? undefined : endsOf(name);
    if (ends === undefined) return Array.from(this.#names).filter((one) => sameTool(one, name));
    for (const one of this.#added.splice(0)) this.#index(one);
    const alike = new Set([...this.#byPlain.get(plainName(name)), ...this.#byEnd.get(name)]);
    for (const end of ends) if (this.#names.has(end)) alike.add(end);
    for (const one of this.#manifold) if (sameTool(one, name)) alike.add(one);
    return alike;
  }

  #index(name: string): void {
    const ends = endsOf(name);
    if (ends === undefined) {
      this.#manifold.push(name);
      return;
    }
    this.#byPlain.add(plainName(name), name);
    for (const end of ends) this.#byEnd.add(end, name);
  }
}

const MOST_ENDS = 16;

/** What follows each separator; undefined for a name with very many. */
function endsOf(name: string): string[] | undefined {
  const ends: string[] = [];
  for (let at = 0; at < name.length; at++) {
    if (!separator.test(name.charAt(at))) continue;
    if (ends.length === MOST_ENDS) return undefined;
    ends.push(name.slice(at + 1));
  }
  return ends;
}

const separator = /[-_.:/]/;
