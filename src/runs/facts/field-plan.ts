import type { KeyLayout } from "../../model/telemetry/key-layout.ts";
import type { AttributesView } from "../../model/telemetry/span-view.ts";
import type { SpanRole } from "../../../adapters/span-roles.ts";
import { fieldNames } from "../../../adapters/field-names.ts";
import { VALUE } from "./attribute-words.ts";
import type { Dialects } from "./dialects.ts";
import type { FieldTable } from "./field-table.ts";
import { F, NOWHERE, type Source } from "./fields.ts";
import { lacksFields, roleByContent } from "./role-fields.ts";
import { mayTellByValue } from "./value-looks.ts";

/** The source of the nth prefix of indexed keys. */
function treeSource(index: number): Source {
  return -2 - index;
}

/** Names of a set that are examined for what they may mean: real producers write some tens. */
const MOST_GUESSES = 256;
/** Of those whose name says nothing, so many values are looked at. */
const MOST_VALUES = 16;

/** Fields by which a span's part in an agent's work is told. */
const telling: readonly number[] = [
  F.handoffTo,
  F.handoffFrom,
  F.guardrail,
  F.requestModel,
  F.responseModel,
  F.model,
  F.inputTokens,
  F.outputTokens,
  F.usage,
  F.inputMessages,
  F.outputMessages,
  F.tool,
  F.callId,
  F.documents,
];
/** Fields that a model call's span has where it says more than what was counted. */
const contents: readonly number[] = [
  F.finish,
  F.inputMessages,
  F.outputMessages,
  F.eventMessages,
  F.history,
  F.outputText,
  F.outputCalls,
  F.input,
  F.output,
];

export const furtherCounts: readonly number[] = [F.totalTokens, F.cachedTokens, F.reasoningTokens];

/** Which fields a sequence of keys holds, and where; made once for all spans that have these keys in this order. */
export class FieldPlan {
  /** By field: the best source; `NOWHERE` for a field that is not there. */
  readonly first: Int32Array;
  /** By field: further sources, best first. */
  readonly more: readonly (readonly Source[] | undefined)[];
  /** Prefixes of indexed keys. */
  readonly trees: readonly string[];
  /** Attributes whose value tells a role, best first: place and table in turn. */
  readonly roles: readonly { readonly place: number; readonly values: ReadonlyMap<string, SpanRole> }[];
  /** Attributes that no adapter declares: source and meaning in turn. */
  readonly guesses: readonly number[];
  /** Attributes that were not examined because there are too many. */
  readonly unexamined: number;
  readonly isMarked: boolean;
  /** Attributes of servers, clients or queues, and none that counts tokens. */
  readonly isInfrastructure: boolean;
  /** No key tells what part of an agent's work the span is. */
  readonly isSilent: boolean;
  /** Some key counts tokens, and not just those of input or output. */
  readonly isCountingMore: boolean;
  /** Some key may tell that the span failed. */
  readonly mayTellFailure: boolean;
  /** Tokens and no operation, no messages, no finish reason. */
  readonly isUsageRecord: boolean;
  /** What a span is by the fields that the keys hold. */
  readonly content: SpanRole;
  readonly table: FieldTable;
  readonly #lacks = new Map<SpanRole, boolean>();
  readonly #marks: readonly number[];
  #scope: string | undefined;
  #dialects: Dialects | undefined;

  constructor(view: AttributesView, table: FieldTable) {
    this.table = table;
    const first = (this.first = new Int32Array(fieldNames.length).fill(NOWHERE));
    const ranks = new Int32Array(fieldNames.length);
    const more: Source[][] = [];
    const trees: string[] = [];
    const marks: number[] = [];
    const roles: { rank: number; place: number; values: ReadonlyMap<string, SpanRole> }[] = [];
    const guesses: number[] = [];
    let [values, examined, unexamined] = [0, 0, 0];
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
      const { guess } = entry;
      if (guess === null) continue;
      if (++examined > MOST_GUESSES) {
        unexamined++;
        continue;
      }
      if (guess.tree !== null) {
        if (trees.includes(guess.tree)) continue;
        guesses.push(treeSource(trees.push(guess.tree) - 1), guess.field);
      } else if (guess.field !== VALUE) guesses.push(place, guess.field);
      else if (mayTellByValue(view.nameAt(place)) && ++values <= MOST_VALUES) guesses.push(place, VALUE);
    }
    // Of duplicate keys the last wins.
    sources.sort((a, b) => a.rank - b.rank || b.source - a.source);
    for (const { field, rank, source } of sources) {
      if (first[field] === NOWHERE) first[field] = source;
      else if (ranks[field] !== rank) (more[field] ??= []).push(source);
      ranks[field] = rank;
    }
    this.more = more;
    this.trees = trees;
    this.roles = roles.sort((a, b) => a.rank - b.rank || b.place - a.place);
    this.guesses = guesses;
    this.unexamined = unexamined;
    this.#marks = marks;
    this.isMarked = marks.length > 0;
    this.isInfrastructure = isInfrastructure && !countsTokens;
    const isTold = telling.some((field) => this.hasField(field));
    this.isSilent =
      roles.length === 0 &&
      (guesses.length === 0 || this.isInfrastructure) &&
      marks.length === 0 &&
      !isTold &&
      (this.isInfrastructure || !this.hasField(F.agent));
    this.isCountingMore = furtherCounts.some((field) => this.hasField(field));
    this.mayTellFailure = this.hasField(F.level) || this.hasField(F.success);
    this.content = roleByContent(this, this.isInfrastructure);
    const isCounted = this.hasField(F.inputTokens) || this.hasField(F.outputTokens) || this.hasField(F.usage);
    this.isUsageRecord = roles.length === 0 && isCounted && !contents.some((field) => this.hasField(field));
  }

  hasField(field: number): boolean {
    return this.first[field] !== NOWHERE;
  }

  /** Whether a span with these keys lacks fields that its kind must have. */
  lacks(role: SpanRole): boolean {
    let known = this.#lacks.get(role);
    if (known === undefined) this.#lacks.set(role, (known = lacksFields(this, role)));
    return known;
  }

  /** The dialects of a span with these keys and this scope. */
  dialectsOf(scope: string): Dialects {
    if (this.#dialects === undefined || this.#scope !== scope) {
      this.#dialects = this.table.dialectsOf(this.#marks, scope);
      this.#scope = scope;
    }
    return this.#dialects;
  }
}

/** Plans by key layout. */
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
