import type { AttributesView } from "../model/span-view.ts";
import { Dialects } from "./dialects.ts";
import type { FieldSource, FieldTable } from "./field-table.ts";
import { fieldIndex, fieldNames, intricate } from "./fields.ts";
import { guessNames, type NameGuess } from "./guess/guessed-fields.ts";
import { speaksOfTokens } from "./guess/guessed-fields.ts";
import { isUsualTier } from "./service-tier.ts";

const none: readonly FieldSource[] = [];
const messages: readonly number[] = (["inputMessages", "outputMessages"] as const).map(
  (field) => fieldIndex.get(field) ?? 0,
);
const tier = fieldIndex.get("serviceTier") ?? 0;
/** Scopes come from strangers: with more than this the table begins anew. */
const MOST_SCOPES = 16;

/** What the keys of a set of attributes tell, whatever the values: its fields and where they stand, and its dialects. */
export class FieldLayout {
  readonly table: FieldTable;
  /** Which of the table's role attributes are there. */
  readonly roleBits: number;
  /** It is a server's, client's or queue's. */
  readonly isPlumbing: boolean;
  /** There are keys that no adapter claims, and none that is of a server, client or queue. */
  readonly isGuessable: boolean;
  /** By field: the best rank of its sources that are there, counted from 1; 0 for a field that is not. */
  readonly #ranks = new Uint8Array(fieldNames.length);
  readonly #sources: (readonly FieldSource[] | undefined)[] = [];
  readonly #marks: readonly number[];
  readonly #dialects = new Map<string, Dialects>();
  #isSilent: boolean | undefined;
  #isOrderly: boolean | undefined;
  #guesses: readonly NameGuess[] | undefined;
  #prefixes: ReadonlySet<string> | undefined;

  constructor(view: AttributesView, table: FieldTable) {
    this.table = table;
    const marks: number[] = [];
    let roleBits = 0;
    let claimed = 0;
    let isPlumbing = false;
    view.eachKey((key) => {
      if (table.claimed[key] === true) claimed += 1;
      else if (table.plumbing[key] === true) isPlumbing = true;
      for (const entry of table.entries[key] ?? []) this.#rank(entry >> 8, (entry & 255) + 1);
      const mark = table.marks[key];
      if (mark !== undefined && !marks.includes(mark)) marks.push(mark);
      const roleRank = table.roleRanks[key];
      if (roleRank !== undefined) roleBits |= 1 << roleRank;
    });
    this.#marks = marks;
    this.roleBits = roleBits;
    this.isPlumbing = isPlumbing;
    this.isGuessable = claimed < view.size && (!isPlumbing || [...view.keys()].some(speaksOfTokens));
  }

  #rank(field: number, rank: number): void {
    const held = this.#ranks[field] ?? 0;
    if (held === 0 || rank < held) this.#ranks[field] = rank;
  }

  /** No key that says anything about an agent, and none to guess from. */
  get isSilent(): boolean {
    return (this.#isSilent ??=
      this.roleBits === 0 &&
      !this.isGuessable &&
      this.#marks.length === 0 &&
      this.#ranks.every((rank) => rank === 0));
  }

  /** It says what it says in attributes of their own, as the conventions ask for: nothing has to be looked for inside another value. */
  isOrderly(view: AttributesView): boolean {
    this.#isOrderly ??=
      intricate.every((field) => !this.has(field)) &&
      messages.every((field) => !this.has(field) || this.isSingle(field, view));
    return this.#isOrderly && (!this.has(tier) || this.#isUsual(view));
  }

  #isUsual(view: AttributesView): boolean {
    return this.sources(tier, view).every(({ attribute }) => {
      const value = view.named(attribute);
      return typeof value === "string" && isUsualTier(value);
    });
  }

  has(field: number): boolean {
    return this.#ranks[field] !== 0;
  }

  /** A field stands in one attribute of `view`, a set of this layout. */
  isSingle(field: number, view: AttributesView): boolean {
    const sources = this.sources(field, view);
    return sources.length === 1 && sources[0]?.tree === undefined;
  }

  /** Where a field stands in `view`, a set of this layout: best first. */
  sources(field: number, view: AttributesView): readonly FieldSource[] {
    return (this.#sources[field] ??= this.#present(field, view));
  }

  #present(field: number, view: AttributesView): readonly FieldSource[] {
    const rank = this.#ranks[field] ?? 0;
    if (rank === 0) return none;
    const all = this.table.sources[field] ?? none;
    return all.slice(rank - 1).filter(({ key, tree }) => {
      if (tree !== undefined) return (this.#prefixes ??= prefixesOf(view)).has(tree);
      return key !== undefined && view.has(key);
    });
  }

  /** What the keys that no adapter claims look like in `view`, a set of this layout. */
  guesses(view: AttributesView): readonly NameGuess[] {
    return (this.#guesses ??= guessNames(view, this.table));
  }

  /** The dialects of a span with this layout and scope. */
  dialects(scope: string): Dialects {
    let found = this.#dialects.get(scope);
    if (found === undefined) {
      if (this.#dialects.size >= MOST_SCOPES) this.#dialects.clear();
      const marks = new Set([...this.#marks, ...marksOfScope(this.table, scope)]);
      this.#dialects.set(scope, (found = new Dialects(this.table, [...marks])));
    }
    return found;
  }
}

/** Everything before a dot of some key. */
function prefixesOf(view: AttributesView): Set<string> {
  const prefixes = new Set<string>();
  for (const name of view.keys()) {
    for (let dot = name.indexOf("."); dot >= 0; dot = name.indexOf(".", dot + 1))
      prefixes.add(name.slice(0, dot));
  }
  return prefixes;
}

function marksOfScope(table: FieldTable, scope: string): readonly number[] {
  const matches = (pattern: string) =>
    pattern.endsWith("*") ? scope.startsWith(pattern.slice(0, -1)) : scope === pattern;
  return table.adapters.flatMap((adapter, index) => (adapter.scopes?.some(matches) === true ? [index] : []));
}
