import type { AttributesView } from "../../model/telemetry/span-view.ts";
import type { Dialects } from "./dialects.ts";
import type { FieldSource, FieldTable } from "./field-table.ts";
import { type Field, fieldIndex, fieldNames } from "../../../adapters/field-names.ts";
import { plainText, textOf } from "./field-text.ts";
import { inferFromNames, type UndeclaredAttributes, speaksOfTokens } from "../undeclared/inferred-fields.ts";

const none: readonly FieldSource[] = [];
const agent = fieldIndex("agent");
const tellingFields: readonly Field[] = [
  "handoffTo",
  "handoffFrom",
  "guardrail",
  "requestModel",
  "responseModel",
  "model",
  "inputTokens",
  "outputTokens",
  "usage",
  "inputMessages",
  "outputMessages",
  "tool",
  "callId",
  "documents",
];
/** Fields by which a span's role is told where no attribute says it. */
const telling: readonly number[] = tellingFields.map(fieldIndex);
const contentFields: readonly Field[] = [
  "finish",
  "inputMessages",
  "outputMessages",
  "eventMessages",
  "history",
  "outputText",
  "outputCalls",
  "input",
  "output",
];
/** Fields of which a model call's span has at least one where it says more than what was counted. */
const contents: readonly number[] = contentFields.map(fieldIndex);
const counts: readonly number[] = (["inputTokens", "outputTokens", "usage"] as const).map(fieldIndex);
/** Scope names are untrusted input: with more than this the table begins anew. */
const MOST_SCOPES = 16;

/** What the keys of a set of attributes tell, whatever the values: its fields and where they stand, and its dialects. */
export class FieldLayout {
  readonly table: FieldTable;
  /** Which of the table's role attributes are there. */
  readonly roleBits: number;
  /** It is a server's, client's or queue's. */
  readonly isInfrastructure: boolean;
  /** There are keys that no adapter claims, and none that is of a server, client or queue. */
  readonly isInferable: boolean;
  /** By field: the best rank of its sources that are there, counted from 1; 0 for a field that is not. */
  readonly #ranks = new Uint8Array(fieldNames.length);
  readonly #sources: (readonly FieldSource[] | undefined)[] = [];
  readonly #marks: readonly number[];
  readonly #dialects = new Map<string, Dialects>();
  #isBystander: boolean | undefined;
  #isUsageRecord: boolean | undefined;
  #inferences: UndeclaredAttributes | undefined;
  /** Prefixes of the indexed keys that some adapter declares. */
  readonly #trees: readonly string[];

  constructor(view: AttributesView, table: FieldTable) {
    this.table = table;
    const marks: number[] = [];
    let roleBits = 0;
    let claimed = 0;
    let isInfrastructure = false;
    view.eachKey((key) => {
      if (table.claimed[key] === true) claimed += 1;
      else if (table.infrastructure[key] === true) isInfrastructure = true;
      for (const entry of table.entries[key] ?? []) this.#rank(entry >> 8, (entry & 255) + 1);
      const mark = table.marks[key];
      if (mark !== undefined && !marks.includes(mark)) marks.push(mark);
      const roleRank = table.roleRanks[key];
      if (roleRank !== undefined) roleBits |= 1 << roleRank;
    });
    const trees: string[] = [];
    const searched = Math.min(view.size, MOST_INDEXED);
    let last: string | undefined;
    for (let place = 0; place < searched; place++) {
      const { isDeclared, tree } = table.names.at(view, place);
      if (tree === undefined) continue;
      if (tree !== last && !trees.includes(tree)) trees.push(tree);
      last = tree;
      if (!isDeclared) claimed += 1;
    }
    this.#trees = trees;
    this.#marks = marks;
    this.roleBits = roleBits;
    this.isInfrastructure = isInfrastructure;
    this.isInferable = claimed < view.size && (!isInfrastructure || anyNameSpeaksOfTokens(view));
  }

  #rank(field: number, rank: number): void {
    const held = this.#ranks[field] ?? 0;
    if (held === 0 || rank < held) this.#ranks[field] = rank;
  }

  /**
   * No key tells what part of an agent's work it is, and there is none to infer from. Baggage may have put the agent's name on it, as on each
   * span below the agent's.
   */
  get isBystander(): boolean {
    return (this.#isBystander ??=
      this.roleBits === 0 &&
      !this.isInferable &&
      this.#marks.length === 0 &&
      !telling.some((field) => this.has(field)) &&
      (this.isInfrastructure || !this.has(agent)));
  }

  /** Tokens and no operation, no messages and no finish reason: a record of usage, which may repeat what a model call's span has. */
  get isUsageRecord(): boolean {
    return (this.#isUsageRecord ??=
      this.roleBits === 0 &&
      counts.some((field) => this.has(field)) &&
      !contents.some((field) => this.has(field)));
  }

  has(field: number): boolean {
    return this.#ranks[field] !== 0;
  }

  /** The text of a field in `view`, a set of this layout: the first that is one. */
  text(field: number, view: AttributesView): string | undefined {
    if (!this.has(field)) return undefined;
    const sources = this.sources(field, view);
    for (let rank = 0; rank < sources.length; rank++) {
      const text = textOf(view, sources[rank] as FieldSource);
      const plain = text === undefined ? undefined : plainText(field, text);
      if (plain !== undefined) return plain;
    }
    return undefined;
  }

  /** The same for a number. */
  number(field: number, view: AttributesView): number | undefined {
    if (!this.has(field)) return undefined;
    const sources = this.sources(field, view);
    for (let rank = 0; rank < sources.length; rank++) {
      const { key } = sources[rank] as FieldSource;
      const number = key === undefined ? undefined : view.number(key);
      if (number !== undefined) return number;
    }
    return undefined;
  }

  /** Where a field stands in `view`, a set of this layout: best first. */
  sources(field: number, view: AttributesView): readonly FieldSource[] {
    return (this.#sources[field] ??= this.#present(field, view));
  }

  #present(field: number, view: AttributesView): readonly FieldSource[] {
    const rank = this.#ranks[field] ?? 0;
    const all = this.table.sources[field] ?? none;
    let present = none;
    for (let at = rank === 0 ? all.length : rank - 1; at < all.length; at++) {
      const source = all[at] as FieldSource;
      const { key, tree } = source;
      const isThere = tree === undefined ? key !== undefined && view.has(key) : this.#trees.includes(tree);
      if (isThere) present = present === none ? [source] : [...present, source];
    }
    return present;
  }

  /** What the keys that no adapter claims look like in `view`, a set of this layout. */
  inferences(view: AttributesView): UndeclaredAttributes {
    return (this.#inferences ??= inferFromNames(view, this.table));
  }

  /** The dialects of a span with this layout and scope. */
  dialects(scope: string): Dialects {
    let found = this.#dialects.get(scope);
    if (found === undefined) {
      if (this.#dialects.size >= MOST_SCOPES) this.#dialects.clear();
      this.#dialects.set(scope, (found = this.table.dialects.of(this.#marks, scope)));
    }
    return found;
  }
}

/** So many names of a set are searched for indexed ones. */
const MOST_INDEXED = 16_384;

/** So many names of a set are examined. */
const MOST_NAMES = 256;

function anyNameSpeaksOfTokens(view: AttributesView): boolean {
  for (let place = 0; place < Math.min(view.size, MOST_NAMES); place++)
    if (speaksOfTokens(view.nameAt(place))) return true;
  return false;
}
