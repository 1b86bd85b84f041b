import type { Trace } from "../../assemble/trace.ts";
import { KIND } from "../../runs/facts/attribute-words.ts";
import { FieldPlans } from "../../runs/facts/field-plan.ts";
import { FieldTable } from "../../runs/facts/field-table.ts";
import { roleNamed } from "../../runs/facts/role-words.ts";
import { SpanFacts } from "../../runs/facts/span-facts.ts";
import { TraceValues } from "../../runs/facts/trace-values.ts";
import { mayBe } from "../../runs/facts/value-looks.ts";
import { type Field, fieldNames } from "../../../adapters/field-names.ts";
import type { Adapter, SpanRole, SpanView } from "../../../adapters/adapter-type.ts";

/**
 * Draft of a dialect for the spans of one scope that no dialect covers. The draft maps attributes to roles and fields.
 */
export interface ProposedDialect {
  readonly name: string;
  readonly scope: string;
  readonly spans: number;
  /**
   * Attribute that all spans of the dialect have. Null if the spans have only their instrumentation scope in
   * common.
   */
  readonly marker: string | null;
  /** Inferred span role for each value of an attribute, by attribute. */
  readonly roles: ReadonlyMap<string, ReadonlyMap<string, SpanRole>>;
  /** Values without an inferred role, by attribute, most frequent first. */
  readonly untold: ReadonlyMap<string, readonly string[]>;
  /** Attributes that seem to contain a field, by field, most frequent first. */
  readonly fields: ReadonlyMap<Field, readonly string[]>;
}

/** Maximum number of scopes. Senders choose scopes, names and values, so all of them are limited. */
const MOST_SCOPES = 32;
const MOST_NAMES = 512;
const MOST_VALUES = 32;
/** Maximum number of attributes that a configuration can list for one field. */
const MOST_ATTRIBUTES = 8;

/** Infers roles and fields of the spans that belong to no dialect. */
export class DialectProposer {
  readonly #plans: FieldPlans;
  readonly #scopes = new Map<string, ScopeTally>();

  constructor(adapters: readonly Adapter[]) {
    this.#plans = new FieldPlans(new FieldTable(adapters));
  }

  add(trace: Trace): void {
    const values = new TraceValues();
    for (const span of trace.spans) {
      const plan = this.#plans.of(span);
      const dialects = plan.dialectsOf(span.scopeName);
      if (dialects.adapters.length > 0 || plan.inferred.length === 0 || plan.isInfrastructure) continue;
      let tally = this.#scopes.get(span.scopeName);
      if (tally === undefined && this.#scopes.size < MOST_SCOPES)
        this.#scopes.set(span.scopeName, (tally = new ScopeTally(span.scopeName)));
      tally?.add(new SpanFacts(span, plan, dialects, values));
    }
  }

  /**
   * Returns drafts of dialects, the one with the most spans first. A scope without any inferred role or field
   * is left out.
   */
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

  add(facts: SpanFacts): void {
    this.spans += 1;
    const { inferred, trees } = facts.plan;
    for (let at = 0; at < inferred.length; at += 2) {
      const source = inferred[at] as number;
      const meaning = inferred[at + 1] as number;
      const tree = source < 0 ? trees[-2 - source] : undefined;
      const attribute = tree === undefined ? facts.span.nameAt(source) : indexed(facts.span, tree);
      const value = facts.rawAt(source);
      if (meaning === KIND) {
        if (typeof value === "string") count(this.#kinds, attribute, value, MOST_VALUES);
        continue;
      }
      const field = mayBe(meaning, value) ? fieldNames[meaning] : undefined;
      if (field !== undefined) count(this.#fields, field, attribute, MOST_NAMES);
    }
  }

  proposal(): ProposedDialect {
    const roles = new Map<string, Map<string, SpanRole>>();
    const untold = new Map<string, readonly string[]>();
    for (const [attribute, values] of this.#kinds) {
      const all = byCount(values);
      const inferred = all.flatMap((value) => {
        const role = roleNamed(value);
        return role === undefined ? [] : [[value, role] as const];
      });
      if (inferred.length === 0) continue;
      roles.set(attribute, new Map(inferred));
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

/**
 * Returns the key of the first attribute below a prefix, with `*` instead of the index after the prefix: for
 * the prefix `acme.messages`, `acme.messages.0.parts.1.text` becomes `acme.messages.*.parts.1.text`.
 */
function indexed(span: SpanView, tree: string): string {
  for (let place = 0; place < span.size; place++) {
    const name = span.nameAt(place);
    if (name.startsWith(`${tree}.`)) return `${tree}.*.${name.slice(tree.length + 1).replace(/^\d+\.?/, "")}`;
  }
  return tree;
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
