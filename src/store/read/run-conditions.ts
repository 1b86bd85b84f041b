import sql, { raw, type Sql } from "sql-template-tag";
import type { RunFilter } from "../archive.ts";
import { between, type Dialect, equal, oneOf, when } from "../sql/dialect.ts";
import { inTrace } from "./read-verdicts.ts";

/** Returns SQL conditions for the fields of the filter that are not facets. */
export function commonConditions(dialect: Dialect, filter: RunFilter): readonly (Sql | undefined)[] {
  const { conversation, model, trace, text } = filter;
  return [
    when(model, (part) => dialect.contains(sql`lower(models)`, part.toLowerCase())),
    equal("conversation_id", conversation),
    when(trace, (id) => inTrace(dialect, id)),
    when(text, (part) => dialect.contains(dialect.smallQuery, part.toLowerCase())),
    between("seen_ms", filter),
  ];
}

export function facetConditions(dialect: Dialect, filter: RunFilter): readonly (Sql | undefined)[] {
  const { outcome, agent, service, query, check, version, modelName } = filter;
  const verdicts = raw(`${dialect.prefix}verdicts`);
  // The column is a JSON array of texts. An array contains a text exactly if the JSON of the array contains the JSON of the text.
  const has =
    (column: string) =>
    (text: string): Sql =>
      dialect.contains(raw(column), JSON.stringify(text));
  return [
    oneOf(outcome, (one) => (one === "none" ? sql`outcome IS NULL` : sql`outcome = ${one}`)),
    oneOf(query, (id) => sql`run_id IN (SELECT run_id FROM ${verdicts} WHERE query_id = ${id} AND latest)`),
    oneOf(check, has("unmet_checks")),
    oneOf(agent, (name) => sql`agent_folded = ${dialect.foldAgent(name)}`),
    oneOf(modelName, has("models")),
    oneOf(service, (name) => sql`service = ${name}`),
    oneOf(version, (one) => sql`version = ${one}`),
  ];
}
