import { readFile } from "node:fs/promises";
import { z } from "zod";
import { parseJson } from "../../model/json.ts";

const auditsSchema = z.object({
  rubrics: z.array(z.object({ rubric: z.string(), model: z.string(), verdict: z.string() })),
});

export interface AuditLookup {
  /** Whether the rubric was found reliable with these models together. */
  readonly reliable: (rubric: string, models: readonly string[]) => boolean;
  readonly problems: readonly string[];
}

/** Reads what judge-audit wrote: `{ "rubrics": [{ "rubric", "model", "verdict" }] }`. Null: nothing was audited. */
export async function readAudits(path: string | null): Promise<AuditLookup> {
  if (path === null) return { reliable: () => false, problems: [] };
  const text = await readFile(path, "utf8").catch(() => null);
  const audits = auditsSchema.safeParse(text === null ? undefined : parseJson(text));
  if (!audits.success)
    return { reliable: () => false, problems: [`${path}: is not a report of judge-audit --format json`] };
  const trusted = new Set(
    audits.data.rubrics.filter((it) => it.verdict === "reliable").map((it) => pairKey(it.rubric, it.model)),
  );
  return { reliable: (rubric, models) => trusted.has(pairKey(rubric, models.join(" + "))), problems: [] };
}

function pairKey(rubric: string, model: string): string {
  return JSON.stringify([rubric, model]);
}
