import { type Batch, scopeAt } from "./batch.ts";
import { SCOPE_WIDTH, ScopeColumn } from "./columns.ts";
import { textAt } from "../bytes/text.ts";

/** Names of the batch's instrumentation scopes, by the index that spans and log records have in their `scope` column. */
export function scopeNames(batch: Batch): readonly string[] {
  const count = (batch.eventStart - batch.scopeStart) / SCOPE_WIDTH;
  return Array.from({ length: count }, (_, index) => textAt(batch, scopeAt(batch, index) + ScopeColumn.name));
}
