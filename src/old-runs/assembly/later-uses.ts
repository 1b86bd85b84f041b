import { AlikeNames } from "../text/alike-names.ts";

/** Tells whether a tool was used again later. */
export class LaterUses {
  readonly #last = new Map<string, number>();
  readonly #alike: AlikeNames;
  readonly #latest = new Map<string, number>();

  /** `names`: of the tools, in the order of their uses. */
  constructor(names: readonly (string | null)[]) {
    for (const [at, name] of names.entries()) if (name !== null) this.#last.set(name, at);
    this.#alike = new AlikeNames(this.#last.keys());
  }

  has(name: string | null, after: number): boolean {
    if (name === null) return false;
    let latest = this.#latest.get(name);
    if (latest === undefined) {
      latest = -1;
      for (const one of this.#alike.to(name)) latest = Math.max(latest, this.#last.get(one) ?? -1);
      this.#latest.set(name, latest);
    }
    return latest > after;
  }
}
