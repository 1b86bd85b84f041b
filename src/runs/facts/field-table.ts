import { key } from "../../model/telemetry/attribute-key.ts";
import { remembered } from "../../support/structures/bounded-memo.ts";
import type { Adapter, EventRule } from "../../../adapters/adapter-type.ts";
import { type Field, fieldIndex } from "../../../adapters/field-names.ts";
import type { SpanRole } from "../../../adapters/span-roles.ts";
import { meaningOfName, type NameMeaning, speaksOfTokens } from "./attribute-words.ts";
import { Dialects, roleByName } from "./dialects.ts";
import { ignoredAttributes, infrastructure } from "./ignored-attributes.ts";

/** A field that an attribute contains, and the rank of the attribute as a source of this field; 0 is the best. */
export interface FieldUse {
  readonly field: number;
  readonly rank: number;
}

/** Meaning of one attribute name, in the tables of all adapters. */
export interface NameEntry {
  readonly uses: readonly FieldUse[];
  /** The declared prefix of an indexed key; null for other names. */
  readonly tree: string | null;
  /** Index of the attribute's role table; -1 if the attribute gives no role. */
  readonly roleRank: number;
  /** Index of the adapter for which this attribute is a marker; -1 if there is none. */
  readonly mark: number;
  readonly isInfrastructure: boolean;
  readonly speaksOfTokens: boolean;
  /** Inferred meaning of a name that no adapter declares; null if there is none, or if the name is declared or ignored. */
  readonly meaning: NameMeaning | null;
}

const none: readonly FieldUse[] = [];
/** Maximum number of names in the table, because names are untrusted input. Above this number, the table is cleared. */
const MOST_NAMES = 32_768;
const MOST_SCOPES = 1024;

const noMarks: readonly number[] = [];

/** The tables of all adapters, merged and compiled once for a process: the meaning of each attribute name. */
export class FieldTable {
  readonly adapters: readonly Adapter[];
  readonly roleTables: readonly ReadonlyMap<string, SpanRole>[];
  /** Returns the role of a span name that only one dialect uses (rules with `own` in its adapter); null for other names. */
  readonly roleOfOwnName: (name: string) => SpanRole | null;
  /** Returns the dialect of a span name that only one dialect uses; null for other names. */
  readonly dialectOfOwnName: (name: string) => string | null;
  readonly #uses = new Map<string, FieldUse[]>();
  readonly #trees = new Map<string, FieldUse[]>();
  readonly #sources: number[] = [];
  readonly #marks = new Map<string, number>();
  readonly #roleRanks = new Map<string, number>();
  readonly #ignored: ReadonlySet<string> = new Set(ignoredAttributes);
  readonly #infrastructure: ReadonlySet<string> = new Set(infrastructure);
  readonly #entries = new Map<string, NameEntry>();
  readonly #dialects = new Map<string, Dialects>();
  readonly #events: ReadonlyMap<string, { readonly rule: EventRule; readonly uses: Map<string, FieldUse> }>;

  /** The order of adapters decides which attribute takes precedence if several contain the same field. */
  constructor(adapters: readonly Adapter[]) {
    this.adapters = adapters;
    const tables: Map<string, SpanRole>[] = [];
    for (const [index, { markers = [], roles = {}, fields = {} }] of adapters.entries()) {
      for (const marker of markers) this.#mark(marker, index);
      for (const [attribute, values] of Object.entries(roles)) this.#addRoles(attribute, values, tables);
      for (const [field, attributes] of Object.entries(fields) as [Field, readonly string[]][])
        for (const attribute of attributes) this.#addSource(fieldIndex(field), attribute);
    }
    this.roleTables = tables;
    const own = adapters.flatMap(({ names = [] }) => names.filter((rule) => rule.own === true));
    this.roleOfOwnName = remembered((name) => roleByName(name, own));
    this.dialectOfOwnName = remembered(
      (name) =>
        adapters.find(({ names = [] }) =>
          names.some(({ own, pattern }) => own === true && pattern.test(name)),
        )?.dialect ?? null,
    );
    this.#events = new Map(
      adapters.flatMap(({ events = [] }) => events.map((rule) => [rule.name, { rule, uses: usesOf(rule) }])),
    );
  }

  entryOf(name: string): NameEntry {
    const known = this.#entries.get(name);
    if (known !== undefined) return known;
    if (this.#entries.size >= MOST_NAMES) this.#entries.clear();
    const entry = this.#describe(name);
    this.#entries.set(name, entry);
    return entry;
  }

  /** The dialects of a span. `marks`: adapters of which the span has a marker attribute; `scope`: the span's scope name. */
  dialectsOf(marks: readonly number[], scope: string): Dialects {
    const id = `${marks.join()} ${scope}`;
    let found = this.#dialects.get(id);
    if (found === undefined) {
      if (this.#dialects.size >= MOST_SCOPES) this.#dialects.clear();
      const all = new Set(marks);
      for (const [index, { scopes = [] }] of this.adapters.entries())
        if (scopes.some((pattern) => matches(pattern, scope))) all.add(index);
      this.#dialects.set(id, (found = new Dialects([...all].flatMap((at) => this.adapters[at] ?? []))));
    }
    return found;
  }

  /** Whether the dialects of a scope declare all their events, so that no field is inferred from other events. */
  declaresAllEvents(scope: string): boolean {
    return this.dialectsOf(noMarks, scope).declaresAllEvents;
  }

  /** Returns the rule for events of this name; undefined if no adapter declares such events. */
  eventRule(
    name: string,
  ): { readonly rule: EventRule; readonly uses: ReadonlyMap<string, FieldUse> } | undefined {
    return this.#events.get(name);
  }

  #describe(name: string): NameEntry {
    const uses = this.#uses.get(name) ?? none;
    const tree = this.#treeOf(name);
    const roleRank = this.#roleRanks.get(name) ?? -1;
    const mark = this.#marks.get(name) ?? -1;
    const isClaimed =
      uses.length > 0 || tree !== null || roleRank >= 0 || mark >= 0 || this.#ignored.has(name);
    return {
      uses: tree === null ? uses : [...uses, ...(this.#trees.get(tree) ?? none)],
      tree,
      roleRank,
      mark,
      isInfrastructure: this.#infrastructure.has(name),
      speaksOfTokens: !isClaimed && speaksOfTokens(name),
      meaning: isClaimed ? null : meaningOfName(name),
    };
  }

  /** Returns the declared prefix of an indexed key: `llm.input_messages` for `llm.input_messages.7.message.role`; null if there is none. */
  #treeOf(name: string): string | null {
    for (let dot = name.indexOf("."); dot >= 0; dot = name.indexOf(".", dot + 1)) {
      const digit = name.charCodeAt(dot + 1);
      if (digit < 48 || digit > 57) continue;
      const prefix = name.slice(0, dot);
      if (this.#trees.has(prefix)) return prefix;
    }
    return null;
  }

  #mark(marker: string, adapter: number): void {
    key(marker);
    this.#marks.set(marker, adapter);
  }

  /** Adds role values. If two dialects give one attribute value different roles, the earlier dialect counts. */
  #addRoles(
    attribute: string,
    roles: Readonly<Record<string, SpanRole>>,
    tables: Map<string, SpanRole>[],
  ): void {
    key(attribute);
    let rank = this.#roleRanks.get(attribute);
    if (rank === undefined) {
      rank = tables.push(new Map()) - 1;
      this.#roleRanks.set(attribute, rank);
    }
    const table = tables[rank];
    for (const value in roles) {
      const role = roles[value];
      if (role !== undefined && table?.has(value) === false) table.set(value, role);
    }
  }

  #addSource(field: number, attribute: string): void {
    const star = attribute.indexOf(".*.");
    const map = star < 0 ? this.#uses : this.#trees;
    const name = star < 0 ? attribute : attribute.slice(0, star);
    key(star < 0 ? attribute : attribute.replace(".*.", ".0."));
    const list = map.get(name);
    if (list?.some((use) => use.field === field) === true) return;
    const rank = this.#sources[field] ?? 0;
    this.#sources[field] = rank + 1;
    if (list === undefined) map.set(name, [{ field, rank }]);
    else list.push({ field, rank });
  }
}

function usesOf({ fields = {} }: EventRule): Map<string, FieldUse> {
  const uses = new Map<string, FieldUse>();
  for (const [field, attributes] of Object.entries(fields) as [Field, readonly string[]][])
    for (const [rank, attribute] of attributes.entries())
      uses.set(attribute.replace(/\.\*\..*$/, ""), { field: fieldIndex(field), rank });
  return uses;
}

function matches(pattern: string, scope: string): boolean {
  return pattern.endsWith("*") ? scope.startsWith(pattern.slice(0, -1)) : scope === pattern;
}
