import { type AttributeKey, key } from "../../model/telemetry/attribute-key.ts";
import { remembered } from "../../support/structures/bounded-memo.ts";
import type { Adapter } from "../../../adapters/adapter-type.ts";
import {
  ignoredAttributes,
  infrastructure as infrastructureNames,
} from "../undeclared/ignored-attributes.ts";
import { ClaimedNames } from "./claimed-names.ts";
import { DialectCache, roleByName } from "./dialects.ts";
import { type Field, fieldNames } from "../../../adapters/field-names.ts";
import type { SpanRole } from "../../../adapters/span-roles.ts";

/** One place where a field may stand. */
export interface FieldSource {
  readonly attribute: string;
  /** Undefined for a name that no code declared. */
  readonly key: AttributeKey | undefined;
  /** Set for a name that no code declared: its place in the sets of attributes that share the layout. */
  readonly place?: number | undefined;
  /** Set for indexed keys: the prefix whose tree is the value. */
  readonly tree: string | undefined;
}

export interface RoleSource {
  readonly key: AttributeKey;
  readonly roles: ReadonlyMap<string, SpanRole>;
}

/** All adapters' tables as one, by attribute key: what a span's keys mean is found in one pass over them. */
export interface FieldTable {
  readonly adapters: readonly Adapter[];
  readonly dialects: DialectCache;
  /** By attribute key: `field << 8 | rank` for each field that the attribute may hold. */
  readonly entries: readonly (readonly number[] | undefined)[];
  /** By field: its sources, best first; a rank counts from 0. */
  readonly sources: readonly (readonly FieldSource[])[];
  /** By attribute key: the adapter that it marks. */
  readonly marks: readonly (number | undefined)[];
  /** By attribute key: the place in `roleSources`. */
  readonly roleRanks: readonly (number | undefined)[];
  readonly roleSources: readonly RoleSource[];
  /** By attribute key: true where nothing is inferred from it, because an adapter claims it or because it is known to say nothing. */
  readonly claimed: readonly (boolean | undefined)[];
  readonly names: ClaimedNames;
  /** By attribute key: marks of spans that are no agent's. */
  readonly infrastructure: readonly (boolean | undefined)[];
  /** What a span is whose name only one dialect gives; null for any other name. */
  readonly roleOfOwnName: (name: string) => SpanRole | null;
  /** By name: how to read the attributes of an event. */
  readonly events: ReadonlyMap<string, EventTable>;
}

export interface EventTable {
  readonly fields: FieldTable;
  readonly body: Field | undefined;
}

export function createFieldTable(adapters: readonly Adapter[]): FieldTable {
  const entries: number[][] = [];
  const sources: FieldSource[][] = fieldNames.map(() => []);
  const marks: number[] = [];
  const roleRanks: number[] = [];
  const roleSources: RoleSource[] = [];
  for (const [index, adapter] of adapters.entries()) {
    for (const marker of adapter.markers ?? []) marks[key(marker)] = index;
    for (const { attribute, roles } of adapter.roles ?? []) {
      addRoles(attribute, roles, roleRanks, roleSources);
    }
    for (const [field, attributes] of Object.entries(adapter.fields ?? {}) as [Field, readonly string[]][]) {
      for (const attribute of attributes) addSource(fieldNames.indexOf(field), attribute, sources, entries);
    }
  }
  const claimed: boolean[] = [];
  for (const name of ignoredAttributes) claimed[key(name)] = true;
  for (const list of [entries, marks, roleRanks])
    for (const at of Object.keys(list)) claimed[Number(at)] = true;
  const infrastructure: boolean[] = [];
  for (const name of infrastructureNames) infrastructure[key(name)] = true;
  const events = eventTables(adapters);
  const ownNames = adapters.flatMap(({ names }) => names ?? []).filter(({ own }) => own === true);
  const roleOfOwnName = remembered((name) => roleByName(name, ownNames));
  return {
    adapters,
    dialects: new DialectCache(adapters),
    entries,
    sources,
    marks,
    roleRanks,
    roleSources,
    claimed,
    names: new ClaimedNames(sources.flat(), claimed),
    infrastructure,
    roleOfOwnName,
    events,
  };
}

/** Two dialects may call their attribute the same: the values of both count, the earlier one's first. */
function addRoles(
  attribute: string,
  roles: Readonly<Record<string, SpanRole>>,
  ranks: number[],
  sources: RoleSource[],
): void {
  const at = ranks[key(attribute)];
  const known = at === undefined ? undefined : sources[at];
  if (at !== undefined && known !== undefined) {
    sources[at] = { key: known.key, roles: new Map([...Object.entries(roles), ...known.roles]) };
    return;
  }
  ranks[key(attribute)] = sources.length;
  sources.push({ key: key(attribute), roles: new Map(Object.entries(roles)) });
}

function eventTables(adapters: readonly Adapter[]): Map<string, EventTable> {
  const tables = new Map<string, EventTable>();
  for (const { dialect, events } of adapters) {
    for (const { name, fields, body } of events ?? []) {
      tables.set(name, { fields: createFieldTable([{ dialect, ...(fields && { fields }) }]), body });
    }
  }
  return tables;
}

function addSource(field: number, attribute: string, sources: FieldSource[][], entries: number[][]): void {
  const list = sources[field] ?? [];
  if (list.some((source) => source.attribute === attribute)) return;
  const star = attribute.indexOf(".*.");
  const names = star < 0 ? [attribute] : [0, 1].map((index) => attribute.replace(".*.", `.${index}.`));
  const tree = star < 0 ? undefined : attribute.slice(0, star);
  const known = tree === undefined ? undefined : list.findIndex((source) => source.tree === tree);
  const rank = known === undefined || known < 0 ? list.length : known;
  if (rank === list.length) list.push({ attribute, key: key(names[0] ?? attribute), tree });
  for (const name of names) (entries[key(name)] ??= []).push((field << 8) | rank);
}
