import { parameter, setParameters } from "../route.ts";
import type { RunJson, SpanJson } from "../types.ts";
import { type Row, spanRows, stepRows } from "./rows.ts";

/** Rows of a run, those that the chosen check rests on, and the one that is open. */
export interface Steps {
  readonly rows: readonly Row[];
  readonly isTree: boolean;
  readonly lit: readonly Row[];
  /** Spans of the evidence that no row shows. */
  readonly hidden: number;
  readonly chosen: Row | undefined;
}

/** @param evidence ids of spans; null where no check is chosen */
export function stepsOf(
  run: RunJson,
  spans: readonly SpanJson[],
  evidence: ReadonlySet<string> | null,
): Steps {
  const isTree = parameter("show") === "spans" && spans.length > 0;
  const rows = isTree ? spanRows(run, spans) : stepRows(run, spans);
  const lit = rows.filter(({ spanId }) => spanId !== null && evidence?.has(spanId) === true);
  const shown = new Set(lit.map(({ spanId }) => spanId)).size;
  const wanted = parameter("step");
  // Without a choice the first evidence is open, else the first step that failed, else the run.
  const first =
    lit.find(({ kind }) => kind !== "run") ??
    rows.find(({ kind, error }) => kind !== "run" && error !== null);
  const chosen = rows.find(({ key }) => key === wanted) ?? (wanted === "" ? (first ?? rows[0]) : undefined);
  return { rows, isTree, lit, hidden: evidence === null ? 0 : evidence.size - shown, chosen };
}

export function chooseStep(key: string): void {
  setParameters({ step: key === "" ? "none" : key });
}
