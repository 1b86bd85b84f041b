import type { Trace } from "../../assemble/trace.ts";
import { inferFields, inferFromNames } from "../../old-runs/undeclared/inferred-fields.ts";
import { roleNamed } from "../../old-runs/undeclared/role-words.ts";
import { createFieldTable, type FieldTable } from "../../old-runs/layout/field-table.ts";
import type { Field } from "../../../adapters/field-names.ts";
import type { Adapter, SpanRole, SpanView } from "../../../adapters/adapter-type.ts";
import { Histories } from "../../old-runs/messages/history.ts";
import { FieldReader } from "../../old-runs/span/span-reading.ts";

/** A first draft of an attribute mapping for the spans of one instrumentation scope that no known dialect marks. */
export interface ProposedDialect {
  readonly name: string;
  readonly scope: string;
  readonly spans: number;
  /** The attribute that marks spans of this dialect; null where only the instrumentation scope identifies them. */
  readonly marker: string | null;
  /** By attribute: the role of each value whose meaning was inferred. */
  readonly roles: ReadonlyMap<string, ReadonlyMap<string, SpanRole>>;
  /** By attribute: values that say nothing by themselves, the most frequent first. */
  readonly untold: ReadonlyMap<string, readonly string[]>;
  /** Attributes by the field that they seem to hold, the most frequent first. */
  readonly fields: ReadonlyMap<Field, readonly string[]>;
}

/** Bounds the names and values that are distinguished, which senders choose. */
const MOST_SCOPES = 32;
const MOST_NAMES = 512;
const MOST_VALUES = 32;
/** As many attributes as a configuration may name for one field. */
const MOST_ATTRIBUTES = 8;

/** Collects what inference finds on spans that no dialect marks. */
export class DialectProposer {
  readonly #table: FieldTable;
  readonly #reader: FieldReader;
  readonly #scopes = new Map<string, ScopeTally>();

  constructor(adapters: readonly Adapter[]) {
    this.#table = createFieldTable(adapters);
    this.#reader = new FieldReader(this.#table);
  }

  add(trace: Trace): void {
    const histories = new Histories();
    for (const span of trace.spans) {
      const { dialects, layout } = this.#reader.read(span, histories);
      if (dialects.marks.length > 0 || !layout.isInferable) continue;
      let tally = this.#scopes.get(span.scopeName);
      if (tally === undefined && this.#scopes.size < MOST_SCOPES)
        this.#scopes.set(span.scopeName, (tally = new ScopeTally(span.scopeName)));
      tally?.add(span, this.#table);
    }
  }

  /** Those with the most spans first; scopes in which nothing was inferred are left out. */
  proposals(): readonly ProposedDialect[] {
    return [...this.#scopes.values()]
      .sort((a, b) => b.spans - a.spans)
      .map((tally) => tally.proposal())
      .filter(({ fields, roles }) => fields.size + roles.size > 0);
  }
}

class ScopeTally {
  spans = 0;
  readonly #scope: string;
  readonly #fields = new Map<Field, Map<string, number>>();
  readonly #kinds = new Map<string, Map<string, number>>();

  constructor(scope: string) {
    this.#scope = scope;
  }

  add(span: SpanView, table: FieldTable): void {
    this.spans += 1;
    const { attributes } = inferFromNames(span, table);
    for (const { name, place, meaning } of attributes) {
      const value = meaning === "kind" ? span.valueAt(place) : undefined;
      if (typeof value === "string") count(this.#kinds, name, value, MOST_VALUES);
    }
    for (const [field, sources] of inferFields(span, attributes)?.fields ?? []) {
      for (const { attribute, tree } of sources)
        count(this.#fields, field, tree === undefined ? attribute : indexed(attribute, tree), MOST_NAMES);
    }
  }

  proposal(): ProposedDialect {
    const roles = new Map<string, Map<string, SpanRole>>();
    const untold = new Map<string, readonly string[]>();
    for (const [attribute, values] of this.#kinds) {
      const all = byCount(values);
      const told = all.flatMap((value) => {
        const role = roleNamed(value);
        return role === undefined ? [] : [[value, role] as const];
      });
      if (told.length === 0) continue;
      roles.set(attribute, new Map(told));
      const left = all.filter((value) => roleNamed(value) === undefined);
      if (left.length > 0) untold.set(attribute, left);
    }
    const fields = new Map(
      Array.from(
        this.#fields,
        ([field, names]) => [field, byCount(names).slice(0, MOST_ATTRIBUTES)] as const,
      ),
    );
    const marker = [...roles.keys()][0] ?? null;
    const [first = this.#scope] = [marker ?? [...fields.values()][0]?.[0]].filter(
      (name) => name !== undefined,
    );
    const name = first.split(/[.:/]/)[0] ?? first;
    return { name, scope: this.#scope, spans: this.spans, marker, roles, untold, fields };
  }
}

/** `acme.messages.0.role` below `acme.messages` is `acme.messages.*.role`. */
function indexed(attribute: string, tree: string): string {
  return `${tree}.*.${attribute.slice(tree.length + 1).replace(/^\d+\.?/, "")}`;
}

function count<Key>(tallies: Map<Key, Map<string, number>>, key: Key, name: string, most: number): void {
  let tally = tallies.get(key);
  if (tally === undefined) {
    if (tallies.size >= MOST_NAMES) return;
    tallies.set(key, (tally = new Map()));
  }
  if (tally.has(name) || tally.size < most) tally.set(name, (tally.get(name) ?? 0) + 1);
}

function byCount(counts: ReadonlyMap<string, number>): string[] {
  return [...counts].sort(([a, many], [b, other]) => other - many || (a < b ? -1 : 1)).map(([name]) => name);
}
