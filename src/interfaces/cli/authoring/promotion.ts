import {
  editsWithLiteralBraces,
  isLiteral,
  notLiteral,
  variableIn,
} from "../../../authoring/query-text/literal-query.ts";
import { appendQuery } from "../../../authoring/query-text/append-query.ts";
import {
  editQuery,
  type QueryEdit,
  writtenIndex,
  writtenQuery,
} from "../../../authoring/query-text/edit-query.ts";
import {
  addedExpectations,
  assertsAnything,
  expectingBlocks,
  type GivenExpectations,
  promotedQuery,
  promotedTodo,
} from "../../../authoring/query-text/promoted-query.ts";
import { queryText } from "../../../authoring/query-text/spec-text.ts";
import { checkOf } from "../../../evaluate/checks/registry.ts";
import { variablesOf, writtenWith } from "../../../evaluate/rules/variables.ts";
import { capturesOf } from "../../../match/rules/variables.ts";
import type { JsonObject } from "../../../model/json.ts";
import type { AgentRun } from "../../../model/run.ts";
import type { JudgedRun } from "../../../pipeline/judge-run.ts";
import type { CompiledQuery, CompiledSpec } from "../../../evaluate/query/compiled.ts";
import { assignIds } from "../../../spec/compile/ids.ts";
import { UserError } from "../../../support/process/io.ts";
import { namingText } from "./fixture.ts";

/** Parts of a drafted query that are decided only after the recorded run was judged by the draft. */
export interface DraftExtras {
  /** Keys of path checks whose severity must be `fail` instead of `warn`. */
  readonly failing: readonly string[];
  readonly isTodo: boolean;
  /** Whether the query must contain `run_status: ok`, because it has no other expectation. */
  readonly isAboutStatus: boolean;
  readonly isExpectedToFail: boolean;
}

export const noExtras: DraftExtras = {
  failing: [],
  isTodo: false,
  isAboutStatus: false,
  isExpectedToFail: false,
};

export interface Draft {
  readonly id: string;
  /** Redacted query text. */
  readonly text: string;
  /** Whether the spec already has a query with this text. If so, this query is extended, and no query is added. */
  readonly isCovered: boolean;
  /**
   * Whether there are no expectations: neither from the matched query, nor from a correct run, nor from an
   * option.
   */
  readonly isEmpty: boolean;
  /** Returns the new or changed query as YAML. Returns null if the query in the spec needs no change. */
  readonly block: (extras: DraftExtras) => string | null;
  /** Returns the text of the complete spec with the query. */
  readonly specText: (extras: DraftExtras) => string;
}

export interface DraftOptions {
  readonly spec: CompiledSpec;
  readonly specText: string;
  /** The run as read from its fixture, judged by the spec before any change. */
  readonly judged: JudgedRun;
  readonly like: AgentRun | undefined;
  readonly given: GivenExpectations;
}

/**
 * Drafts a query for a failed run. The expectations are taken from the matched query, the correct run `like` and the options, and never
 * from the failed run itself.
 */
export function draftPromotion(options: DraftOptions): Draft {
  const { judged, like, given } = options;
  const [verdict] = judged.verdicts;
  const matched = judged.matched[0];
  const how = verdict?.match.how;
  if (matched !== undefined && (how === "id" || how === "exact" || how === "normalised")) {
    const added = addedExpectations(matched.written, like, given);
    const variable = variableIn(added, variablesOf(matched));
    if (variable !== undefined)
      throw new UserError(
        `the run contains {${variable}}, which the query's pattern would read as a variable, so the text cannot be an expectation`,
        "write the expectation by hand",
      );
    return changedQuery(matched, editsWithLiteralBraces(added), options);
  }
  const { run } = judged;
  const text = (run.query ?? "").trim();
  if (text === "") {
    throw new UserError(
      "the telemetry lacks the run's question, so no query can be made",
      "switch content capture on in the instrumentation, or record the query as an attribute; `tracejury doctor` shows how",
    );
  }
  if (!isLiteral(text))
    throw new UserError(`the question of the run is ${JSON.stringify(text)}: ${notLiteral}`, literalFix);
  const written = matched === undefined ? {} : writtenWith(matched, capturesOf(matched, run.query));
  return newQuery(text, written, addedExpectations(written, like, given), options);
}

const literalFix = "write the query by hand, with `match.where` to select its runs";

function changedQuery(
  query: CompiledQuery,
  added: readonly QueryEdit[],
  { spec, specText }: DraftOptions,
): Draft {
  // The severity of an added path check is set to `fail`, as for all path checks of a promoted query.
  const addedKeys = added.flatMap(({ path: [layer, key] }) =>
    layer === "path" && key !== undefined && checkOf(key)?.qualifier !== true ? [key] : [],
  );
  const at = writtenIndex(specText, spec.queries, query);
  const changedText = ({ failing, isTodo, isAboutStatus, isExpectedToFail }: DraftExtras): string => {
    const edits = [
      ...added,
      ...[...addedKeys, ...failing].map((key) => ({ path: ["severity", key], value: "fail" })),
      ...(isAboutStatus ? [{ path: ["correctness", "run_status"], value: "ok" }] : []),
      ...(isTodo ? [{ path: ["todo"], value: promotedTodo }] : []),
      ...(isExpectedToFail ? [{ path: ["expected_fail"], value: true }] : []),
    ];
    if (edits.length === 0) return specText;
    const edited = at === null ? null : editQuery(specText, at, edits);
    if (edited !== null) return edited;
    const keys = edits.map(({ path, value }) => `${path.join(".")}: ${JSON.stringify(value)}`);
    throw new UserError(
      `query ${query.id} cannot be changed in ${spec.file}: it is in another file or a table, or is not a YAML map`,
      `add these keys by hand: ${keys.join(", ")}`,
    );
  };
  return {
    id: query.id,
    text: query.text,
    isCovered: true,
    isEmpty: added.length === 0 && !assertsAnything(expectingBlocks(query.written)),
    block: (extras) => {
      const changed = changedText(extras);
      return changed === specText || at === null ? null : writtenQuery(changed, at);
    },
    specText: changedText,
  };
}

function newQuery(
  text: string,
  written: JsonObject,
  added: readonly QueryEdit[],
  { spec, specText, judged }: DraftOptions,
): Draft {
  const taken = spec.queries.map(({ id }) => ({ id, text: "" }));
  const id = assignIds([...taken, { id: undefined, text: namingText(text) }]).at(-1) ?? "promoted";
  const base = promotedQuery({ id, text }, written, added);
  const block = (extras: DraftExtras, indent: number): string =>
    queryText({ query: withExtras(base, extras), remarks: [remarkOf(judged)] }, indent);
  return {
    id,
    text,
    isCovered: false,
    isEmpty: !assertsAnything(expectingBlocks(base)),
    block: (extras) => block(extras, 2),
    specText: (extras) => {
      const appended = appendQuery(specText, (indent) => block(extras, indent));
      if (appended !== null) return appended;
      throw new UserError(
        `the query cannot be added to ${spec.file}: its \`queries\` are not a block list with items (each begins with "- " on a new line)`,
        `add the query by hand and promote again:\n${block(extras, 2)}`,
      );
    },
  };
}

function withExtras(
  query: JsonObject,
  { failing, isTodo, isAboutStatus, isExpectedToFail }: DraftExtras,
): JsonObject {
  const severity = {
    ...(query["severity"] as JsonObject | undefined),
    ...Object.fromEntries(failing.map((key) => [key, "fail"])),
  };
  return {
    ...query,
    ...(failing.length === 0 ? {} : { severity }),
    ...(isAboutStatus ? { correctness: { run_status: "ok" } } : {}),
    ...(isTodo ? { todo: promotedTodo } : {}),
    ...(isExpectedToFail ? { expected_fail: true } : {}),
  };
}

function remarkOf({ run, verdicts: [verdict] }: JudgedRun): string {
  const was = verdict === undefined ? "" : `, which ended as ${verdict.outcome} (query ${verdict.queryId})`;
  return `Promoted from run ${run.runId}${was}`;
}
