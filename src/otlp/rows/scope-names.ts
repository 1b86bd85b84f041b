import { type Batch, scopeAt } from "./batch.ts";
import { SCOPE_WIDTH, ScopeColumn } from "./columns.ts";
import { textAt } from "../bytes/text.ts";

/** Returns the names of the batch's instrumentation scopes. Their order is that of the index in the column `scope`. */
export function scopeNames(batch: Batch): readonly string[] {
  const count = (batch.eventStart - batch.scopeStart) / SCOPE_WIDTH;
  return Array.from({ length: count }, (_, index) => textAt(batch, scopeAt(batch, index) + ScopeColumn.name));
}
