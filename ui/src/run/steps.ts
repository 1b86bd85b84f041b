import { parameter, setParameters } from "../route.ts";
import type { CheckJson, RunJson, SpanJson } from "../types.ts";
import { type Row, spanRows, stepRows } from "./rows.ts";

/** Rows of a run, the rows that are evidence for the selected check, and the open row. */
export interface Steps {
  readonly rows: readonly Row[];
  readonly isTree: boolean;
  readonly lit: readonly Row[];
  /** Number of spans that are evidence for the check, but have no row. */
  readonly hidden: number;
  readonly chosen: Row | undefined;
}

/** @param check the selected check, if any */
export function stepsOf(run: RunJson, spans: readonly SpanJson[], check: CheckJson | undefined): Steps {
  const evidence = new Set(check?.span_ids);
  const forbidden = forbiddenTools(check);
  const isTree = parameter("show") === "spans" && spans.length > 0;
  const rows = isTree ? spanRows(run, spans) : stepRows(run, spans);
  const lit = rows.filter(({ spanId, kind, name }) =>
    spanId === null ? kind === "tool" && forbidden.has(name) : evidence.has(spanId),
  );
  const shown = new Set(lit.map(({ spanId }) => spanId).filter((id) => id !== null)).size;
  const wanted = parameter("step");
  // Row that is open by default: the first evidence; if there is none, the first failed step; if there is none, the row of the run.
  const first =
    lit.find(({ kind }) => kind !== "run") ??
    rows.find(({ kind, error }) => kind !== "run" && error !== null);
  const chosen = rows.find(({ key }) => key === wanted) ?? (wanted === "" ? (first ?? rows[0]) : undefined);
  return { rows, isTree, lit, hidden: evidence.size - shown, chosen };
}

/** Returns the names of forbidden tools. Calls without a span can be found as evidence only by these names. */
function forbiddenTools(check: CheckJson | undefined): ReadonlySet<string> {
  const names = check?.check === "forbidden_tools" && Array.isArray(check.limit) ? check.limit : [];
  return new Set(names.filter((name) => typeof name === "string"));
}

export function chooseStep(key: string): void {
  setParameters({ step: key === "" ? "none" : key });
}
