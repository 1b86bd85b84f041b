import { parse } from "yaml";
import { z } from "zod";
import { namedRecord } from "../../../support/structures/named-record.ts";
import type { PassOrFail } from "./audit.ts";

const labelsSchema = namedRecord(z.string(), z.enum(["pass", "fail"]));

export type LabelsReading =
  | { readonly ok: true; readonly labels: ReadonlyMap<string, PassOrFail> }
  | { readonly ok: false; readonly problem: string };

/** Parses a labels file of `judge-audit`: YAML or JSON that maps a query text, query id or run id to `pass` or `fail`. */
export function readLabels(source: string): LabelsReading {
  try {
    const read = labelsSchema.safeParse(parse(source, { maxAliasCount: 100 }));
    if (read.success) return { ok: true, labels: new Map(Object.entries(read.data)) };
    const [issue] = read.error.issues;
    const key = issue?.path.map(String).join(".") ?? "";
    const problem =
      key === "" ? "the file must be a map of ids to pass or fail" : `${key}: a label must be pass or fail`;
    return { ok: false, problem };
  } catch (error) {
    return { ok: false, problem: error instanceof Error ? error.message : String(error) };
  }
}

/** Returns the label of a run: by run id, otherwise by query id, otherwise by query text. Null for a run without a label. */
export function labelOf(
  labels: ReadonlyMap<string, PassOrFail>,
  runId: string,
  queryId: string,
  query: string | null,
): PassOrFail | null {
  return labels.get(runId) ?? labels.get(queryId) ?? labels.get(query ?? "") ?? null;
}
