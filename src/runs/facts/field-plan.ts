import type { KeyLayout } from "../../model/telemetry/key-layout.ts";
import type { AttributesView } from "../../model/telemetry/span-view.ts";
import type { SpanRole } from "../../../adapters/span-roles.ts";
import { fieldNames } from "../../../adapters/field-names.ts";
import type { Dialects } from "./dialects.ts";
import type { FieldTable } from "./field-table.ts";
import { F, indexesOf, type Source } from "./fields.ts";
import { lacksFields, roleByContent } from "./role-fields.ts";

/** Returns the `Source` of a prefix of indexed keys: a number below -1. `index`: position in `trees`. */
function treeSource(index: number): Source {
  return -2 - index;
}

/** Largest number of undeclared names that are examined in an attribute set. Real producers write at most a few dozen such names. */
const MOST_MEANINGS = 256;

/** Fields that decide a span's role in an agent run. */
const telling: readonly number[] = indexesOf(`
  handoffTo handoffFrom guardrail requestModel responseModel model inputTokens outputTokens usage
  inputMessages outputMessages tool callId documents
`);
/** Fields of a model call other than token counts. */
const contents: readonly number[] = indexesOf(`
  finish inputMessages outputMessages eventMessages history outputText outputCalls input output
`);

export const furtherCounts: readonly number[] = [F.totalTokens, F.cachedTokens, F.reasoningTokens];

/** The fields in a key layout, with their sources. One plan serves all spans with the same keys in the same order. */
export class FieldPlan {
  /** Sources of each field in order of precedence; undefined for an absent field. */
  readonly sources: readonly (readonly Source[] | undefined)[];
  /** Prefixes of indexed keys. */
  readonly trees: readonly string[];
  /** Role attributes in order of precedence. `place`: position of the attribute; `values`: role by attribute value. */
  readonly roles: readonly { readonly place: number; readonly values: ReadonlyMap<string, SpanRole> }[];
  /** Undeclared attributes: each source is followed by the index of its inferred field, or by `KIND`. */
  readonly inferred: readonly number[];
  /** Number of undeclared attributes that were not examined, because there are more than `MOST_MEANINGS`. */
  readonly unexamined: number;
  readonly isMarked: boolean;
  /** Whether the layout has attributes of servers, clients or queues, and no token counts. */
  readonly isInfrastructure: boolean;
  /** Whether no attribute key of this layout decides the role of a span in an agent run. */
  readonly isSilent: boolean;
  /** Whether the layout has a count of total, cached or reasoning tokens. */
  readonly isCountingMore: boolean;
  /** Whether a key of the layout can report a failure of the span. */
  readonly mayTellFailure: boolean;
  /** Whether the layout has token counts, but no operation, messages or finish reason. */
  readonly isUsageRecord: boolean;
  /** Role of a span, inferred from the fields of the layout. */
  readonly content: SpanRole;
  readonly table: FieldTable;
  readonly #lacks = new Map<SpanRole, boolean>();
  readonly #marks: readonly number[];
  #scope: string | undefined;
  #dialects: Dialects | undefined;

  constructor(view: AttributesView, table: FieldTable) {
    this.table = table;
    const byField = fieldNames.map((): Source[] | undefined => undefined);
    const ranks = new Int32Array(fieldNames.length);
    const trees: string[] = [];
    const marks: number[] = [];
    const roles: { rank: number; place: number; values: ReadonlyMap<string, SpanRole> }[] = [];
    const inferred: number[] = [];
    let [examined, unexamined] = [0, 0];
    let [isInfrastructure, countsTokens] = [false, false];
    const sources: { field: number; rank: number; source: Source }[] = [];
    for (let place = 0; place < view.size; place++) {
      const entry = table.entryOf(view.nameAt(place));
      if (entry.isInfrastructure) isInfrastructure = true;
      if (entry.speaksOfTokens) countsTokens = true;
      if (entry.mark >= 0 && !marks.includes(entry.mark)) marks.push(entry.mark);
      if (entry.roleRank >= 0) {
        const values = table.roleTables[entry.roleRank];
        if (values !== undefined) roles.push({ rank: entry.roleRank, place, values });
      }
      let source = place;
      if (entry.tree !== null) {
        const known = trees.indexOf(entry.tree);
        if (known >= 0) continue;
        source = treeSource(trees.push(entry.tree) - 1);
      }
      for (const { field, rank } of entry.uses) sources.push({ field, rank, source });
      const { meaning } = entry;
      if (meaning === null) continue;
      if (++examined > MOST_MEANINGS) {
        unexamined++;
        continue;
      }
      if (meaning.tree !== null) {
        if (trees.includes(meaning.tree)) continue;
        inferred.push(treeSource(trees.push(meaning.tree) - 1), meaning.field);
      } else inferred.push(place, meaning.field);
    }
    // If a key occurs twice, the last value counts.
    sources.sort((a, b) => a.rank - b.rank || b.source - a.source);
    for (const { field, rank, source } of sources) {
      const known = byField[field];
      if (known === undefined) byField[field] = [source];
      else if (ranks[field] !== rank) known.push(source);
      ranks[field] = rank;
    }
    this.sources = byField;
    this.trees = trees;
    this.roles = roles.sort((a, b) => a.rank - b.rank || b.place - a.place);
    this.inferred = inferred;
    this.unexamined = unexamined;
    this.#marks = marks;
    this.isMarked = marks.length > 0;
    this.isInfrastructure = isInfrastructure && !countsTokens;
    const isTold = this.#hasAny(telling);
    this.isSilent =
      roles.length === 0 &&
      (inferred.length === 0 || this.isInfrastructure) &&
      marks.length === 0 &&
      !isTold &&
      (this.isInfrastructure || !this.hasField(F.agent));
    this.isCountingMore = this.#hasAny(furtherCounts);
    this.mayTellFailure = this.#hasAny([F.level, F.success, F.errorType]);
    this.content = roleByContent(this, this.isInfrastructure);
    const isCounted = this.hasField(F.inputTokens) || this.hasField(F.outputTokens) || this.hasField(F.usage);
    this.isUsageRecord = roles.length === 0 && isCounted && !this.#hasAny(contents);
  }

  hasField(field: number): boolean {
    return this.sources[field] !== undefined;
  }

  #hasAny(fields: readonly number[]): boolean {
    for (const field of fields) if (this.sources[field] !== undefined) return true;
    return false;
  }

  /** Whether spans with these keys lack a field that a span of this role usually has, so that undeclared attributes are read, too. */
  lacks(role: SpanRole): boolean {
    let known = this.#lacks.get(role);
    if (known === undefined) this.#lacks.set(role, (known = lacksFields(this, role)));
    return known;
  }

  /** The dialects of a span with the layout's keys and this scope. */
  dialectsOf(scope: string): Dialects {
    if (this.#dialects === undefined || this.#scope !== scope) {
      this.#dialects = this.table.dialectsOf(this.#marks, scope);
      this.#scope = scope;
    }
    return this.#dialects;
  }
}

export class FieldPlans {
  readonly table: FieldTable;
  readonly #known: ({ readonly layout: KeyLayout; readonly plan: FieldPlan } | undefined)[] = [];

  constructor(table: FieldTable) {
    this.table = table;
  }

  of(view: AttributesView): FieldPlan {
    const { layout } = view;
    if (layout === undefined || layout.cell < 0) return new FieldPlan(view, this.table);
    const known = this.#known[layout.cell];
    if (known?.layout === layout) return known.plan;
    const plan = new FieldPlan(view, this.table);
    this.#known[layout.cell] = { layout, plan };
    return plan;
  }
}
