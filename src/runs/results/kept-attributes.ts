import type { KeyLayout } from "../../model/telemetry/key-layout.ts";
import type { AttributesView } from "../../model/telemetry/span-view.ts";

/** Attributes that every run keeps, from its resource, its root span, and the spans above the root span. */
const always: readonly string[] = [
  "service.version",
  "deployment.environment.name",
  "gen_ai.agent.id",
  "gen_ai.agent.version",
  "gen_ai.prompt.name",
  "gen_ai.prompt.version",
  "vcs.*",
  "tracejury.*",
];

/** Maximum number of attributes of one set that are examined. */
const MOST_EXAMINED = 16_384;

/** Decides which attributes of a set to keep. The decision is made once for all sets with the same keys. */
export class KeptAttributes {
  readonly #names: ReadonlySet<string>;
  readonly #prefixes: readonly string[];
  readonly #known: ({ readonly layout: KeyLayout; readonly names: readonly string[] } | undefined)[] = [];

  /** `more`: names of further attributes to keep. A name that ends in `*` is a prefix. */
  constructor(more: readonly string[] = []) {
    const all = [...always, ...more];
    this.#names = new Set(all.filter((name) => !name.endsWith("*")));
    this.#prefixes = all.filter((name) => name.endsWith("*")).map((name) => name.slice(0, -1));
  }

  /** The kept attributes, in the order of the set's keys. */
  among(view: AttributesView): readonly string[] {
    const { layout } = view;
    if (layout === undefined || layout.cell < 0) return this.#find(view);
    const known = this.#known[layout.cell];
    if (known?.layout === layout) return known.names;
    const names = this.#find(view);
    this.#known[layout.cell] = { layout, names };
    return names;
  }

  #find(view: AttributesView): string[] {
    const found = new Set<string>();
    for (let place = 0; place < Math.min(view.size, MOST_EXAMINED); place++) {
      const name = view.nameAt(place);
      if (this.#names.has(name) || this.#prefixes.some((prefix) => name.startsWith(prefix))) found.add(name);
    }
    return [...found];
  }
}
