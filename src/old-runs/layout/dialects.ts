import type { JsonValue } from "../../model/json.ts";
import { remembered } from "../../support/structures/bounded-memo.ts";
import type { Adapter, NameRule, SpanFacts } from "../../../adapters/adapter-type.ts";
import type { SpanRole } from "../../../adapters/span-roles.ts";
import { type Field, fieldIndex, fieldNames } from "../../../adapters/field-names.ts";

type Derive = (span: SpanFacts) => JsonValue | undefined;

/** The adapters that are marked on a span, and what of theirs is more than a table. */
export class Dialects {
  /** By their places in the table of adapters. */
  readonly marks: readonly number[];
  readonly adapters: readonly Adapter[];
  /** Those that leave tokens out of their counts, or count some more than once. */
  readonly withHabits: readonly Adapter[];
  /** By field: the functions that derive it. */
  readonly derive: (Derive[] | undefined)[] = fieldNames.map(() => undefined);
  /** How their frameworks wrap the user's words. */
  readonly wrapping: readonly RegExp[];
  /** What a span of a name is by their rules; null where none speaks of it. */
  readonly roleOfName: (name: string) => SpanRole | null;
  /** How names of spans begin that only show what others show. */
  readonly #copies: readonly string[];
  /** Those that have the last word on a span's role. */
  readonly correcting: readonly Adapter[];
  /** An agent without a model call of its own only orders others. */
  readonly onlyOrders: boolean;

  /** `marks`: indexes of the adapters among `all`. */
  constructor(all: readonly Adapter[], marks: readonly number[]) {
    this.marks = marks;
    this.adapters = marks.flatMap((mark) => all[mark] ?? []);
    this.#copies = this.adapters.flatMap(({ copies }) => copies ?? []);
    this.correcting = this.adapters.filter(({ role }) => role !== undefined);
    this.withHabits = this.adapters.filter(({ apart, cumulative }) => (apart ?? cumulative) !== undefined);
    this.onlyOrders = this.adapters.some(({ onlyOrders }) => onlyOrders === true);
    this.wrapping = this.adapters.flatMap(({ wrappedQuery }) => wrappedQuery ?? []);
    const names = this.adapters.flatMap(({ names }) => names ?? []);
    this.roleOfName = remembered((name) => roleByName(name, names));
    for (const { derive } of this.adapters)
      for (const field in derive) {
        const own = derive[field as Field];
        if (own !== undefined) (this.derive[fieldIndex(field as Field)] ??= []).push(own);
      }
  }

  /** Whether a span of this name shows what others show. */
  isCopy(name: string): boolean {
    for (const begin of this.#copies) if (name.startsWith(begin)) return true;
    return false;
  }
}

export function roleByName(name: string, rules: readonly NameRule[]): SpanRole | null {
  for (const { pattern, role } of rules) if (pattern.test(name)) return role;
  return null;
}

/** With more scopes and sets of dialects than this the cache begins anew: senders choose the scopes. */
const MOST_CACHED = 1024;

/** The dialects of spans by the adapters that their keys mark and by their scope: a few for all spans. */
export class DialectCache {
  readonly #adapters: readonly Adapter[];
  readonly #byKey = new Map<string, Dialects>();

  constructor(adapters: readonly Adapter[]) {
    this.#adapters = adapters;
  }

  /** `marks`: indexes of the adapters that the keys mark. */
  of(marks: readonly number[], scope: string): Dialects {
    const key = `${marks.join()} ${scope}`;
    let found = this.#byKey.get(key);
    if (found === undefined) {
      if (this.#byKey.size >= MOST_CACHED) this.#byKey.clear();
      const all = new Set([...marks, ...this.#marksOfScope(scope)]);
      this.#byKey.set(key, (found = new Dialects(this.#adapters, [...all])));
    }
    return found;
  }

  #marksOfScope(scope: string): readonly number[] {
    const matches = (pattern: string): boolean =>
      pattern.endsWith("*") ? scope.startsWith(pattern.slice(0, -1)) : scope === pattern;
    return this.#adapters.flatMap(({ scopes }, index) => (scopes?.some(matches) === true ? [index] : []));
  }
}
