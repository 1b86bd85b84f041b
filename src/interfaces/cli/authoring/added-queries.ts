import { readFileSync } from "node:fs";
import { parse } from "yaml";
import { proposeMoreQueries } from "../../../authoring/agreement/proposed-spec.ts";
import { appendQuery } from "../../../authoring/query-text/append-query.ts";
import { queryText } from "../../../authoring/query-text/spec-text.ts";
import type { AgentQuestions, Question } from "../../../authoring/questions.ts";
import { readSpec } from "../../../config/command-settings.ts";
import type { CompiledQuery } from "../../../evaluate/query/compiled.ts";
import { createMatcher } from "../../../match/matcher.ts";
import { isObject, type JsonValue } from "../../../model/json.ts";
import { UserError } from "../../../support/process/io.ts";

export interface LackingSpec {
  /** Recorded questions that no query of the spec matches. */
  readonly questions: readonly Question[];
  readonly queries: readonly CompiledQuery[];
}

/**
 * Returns the recorded questions that no query of an existing spec matches. Returns null if the spec is
 * invalid.
 */
export function lackingQuestions(file: string, { questions }: AgentQuestions): LackingSpec | null {
  const read = readSpec(file);
  if (!read.ok) return null;
  const { spec } = read;
  const matcher = createMatcher([spec]);
  const isUnmatched = ({ runs }: Question): boolean =>
    runs.every((run) => matcher.match(run, spec).kind === "unmatched");
  return { questions: questions.filter(isUnmatched), queries: spec.queries };
}

/**
 * Returns the text of the spec with added queries, one for each of these questions.
 * @throws UserError if the queries of the spec are not in block style
 */
export function withMissingQueries(file: string, { questions, queries }: LackingSpec): string {
  const text = readFileSync(file, "utf8");
  const written: JsonValue = parse(text);
  const severity = isObject(written) && isObject(written["severity"]) ? written["severity"] : {};
  let extended = text;
  for (const query of proposeMoreQueries(questions, queries, severity)) {
    const next = appendQuery(extended, (indent) => queryText(query, indent));
    if (next === null)
      throw new UserError(
        `${file}: no query can be added, because \`queries\` is not a list of lines that begin with "- "`,
        "write each query on its own lines, or replace the spec with --force",
      );
    extended = next;
  }
  return extended;
}
