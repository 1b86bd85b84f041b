import { remembered } from "../../support/structures/bounded-memo.ts";
import type { Adapter, NameRule, SpanFacts } from "../../../adapters/adapter-type.ts";
import { type Field, fieldIndex, fieldNames } from "../../../adapters/field-names.ts";
import type { SpanRole } from "../../../adapters/span-roles.ts";
import type { JsonValue } from "../../model/json.ts";

export type Derive = (span: SpanFacts) => JsonValue | undefined;

/** The adapters that apply to a span, with their functions. */
export class Dialects {
  readonly adapters: readonly Adapter[];
  /** Functions that derive a field, by field; undefined if there are none. */
  readonly derive: readonly (readonly Derive[] | undefined)[] | undefined;
  /** Adapters that can correct a span's role. */
  readonly correcting: readonly Adapter[];
  /** Adapters with a habit of counting tokens: their counts exclude some tokens, or count some twice. */
  readonly withHabits: readonly Adapter[];
  /** Patterns of text that frameworks add around the user's text. */
  readonly wrapping: readonly RegExp[];
  /** Whether an agent span of these dialects that has no model call of its own only orchestrates other agents. */
  readonly onlyOrders: boolean;
  /** Whether events are read only by the adapters' rules, so that no field is inferred from other events. */
  readonly declaresAllEvents: boolean;
  /** The role that the adapters' rules give a span name; null if no rule covers it. */
  readonly roleOfName: (name: string) => SpanRole | null;
  readonly #copies: readonly string[];

  constructor(adapters: readonly Adapter[]) {
    this.adapters = adapters;
    this.#copies = adapters.flatMap(({ copies }) => copies ?? []);
    this.correcting = adapters.filter(({ role }) => role !== undefined);
    this.withHabits = adapters.filter(({ apart, cumulative }) => (apart ?? cumulative) !== undefined);
    this.onlyOrders = adapters.some(({ onlyOrders }) => onlyOrders === true);
    this.declaresAllEvents = adapters.some(({ declaresAllEvents }) => declaresAllEvents === true);
    this.wrapping = adapters.flatMap(({ wrappedQuery }) => wrappedQuery ?? []);
    const names = adapters.flatMap(({ names }) => names ?? []);
    this.roleOfName = remembered((name) => roleByName(name, names));
    this.derive = deriving(adapters);
  }

  /** Whether a span with this name only duplicates other spans. */
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
