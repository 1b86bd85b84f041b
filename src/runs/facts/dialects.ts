import { remembered } from "../../support/structures/bounded-memo.ts";
import type { Adapter, NameRule, SpanFacts } from "../../../adapters/adapter-type.ts";
import { type Field, fieldIndex, fieldNames } from "../../../adapters/field-names.ts";
import type { SpanRole } from "../../../adapters/span-roles.ts";
import type { JsonValue } from "../../model/json.ts";

export type Derive = (span: SpanFacts) => JsonValue | undefined;

/** The adapters that a span is marked by, and what of theirs is more than a table. */
export class Dialects {
  readonly adapters: readonly Adapter[];
  /** By field: the functions that derive it; undefined where there are none at all. */
  readonly derive: readonly (readonly Derive[] | undefined)[] | undefined;
  /** Those with a last word on a span's role. */
  readonly correcting: readonly Adapter[];
  /** Those that leave tokens out of their counts, or count some more than once. */
  readonly withHabits: readonly Adapter[];
  /** How their frameworks wrap the user's words. */
  readonly wrapping: readonly RegExp[];
  /** An agent without a model call of its own only orders others. */
  readonly onlyOrders: boolean;
  /** What a span of a name is by their rules; null where none speaks of it. */
  readonly roleOfName: (name: string) => SpanRole | null;
  readonly #copies: readonly string[];

  constructor(adapters: readonly Adapter[]) {
    this.adapters = adapters;
    this.#copies = adapters.flatMap(({ copies }) => copies ?? []);
    this.correcting = adapters.filter(({ role }) => role !== undefined);
    this.withHabits = adapters.filter(({ apart, cumulative }) => (apart ?? cumulative) !== undefined);
    this.onlyOrders = adapters.some(({ onlyOrders }) => onlyOrders === true);
    this.wrapping = adapters.flatMap(({ wrappedQuery }) => wrappedQuery ?? []);
    const names = adapters.flatMap(({ names }) => names ?? []);
    this.roleOfName = remembered((name) => roleByName(name, names));
    this.derive = deriving(adapters);
  }

  /** Whether a span of this name only shows what others show. */
  isCopy(name: string): boolean {
    for (const begin of this.#copies) if (name.startsWith(begin)) return true;
    return false;
  }
}

function deriving(adapters: readonly Adapter[]): (Derive[] | undefined)[] | undefined {
  if (!adapters.some(({ derive }) => derive !== undefined)) return undefined;
  const all: (Derive[] | undefined)[] = fieldNames.map(() => undefined);
  for (const { derive = {} } of adapters)
    for (const field in derive) {
      const own = derive[field as Field];
      if (own !== undefined) (all[fieldIndex(field as Field)] ??= []).push(own);
    }
  return all;
}

export function roleByName(name: string, rules: readonly NameRule[]): SpanRole | null {
  for (const { pattern, role } of rules) if (pattern.test(name)) return role;
  return null;
}
