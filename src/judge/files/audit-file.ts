import { readFile } from "node:fs/promises";
import { z } from "zod";
import type { CalibratedScore } from "../../evaluate/judge/ask/sureness.ts";
import { parseJson } from "../../model/json.ts";

const auditsSchema = z.object({
  rubrics: z.array(
    z.object({
      rubric: z.string(),
      model: z.string(),
      verdict: z.string(),
      calibration: z
        .array(z.object({ score: z.number(), cases: z.int().min(0), right: z.int().min(0) }))
        .default([]),
    }),
  ),
});

export interface AuditLookup {
  /** Whether the rubric was found reliable with these models together. */
  readonly reliable: (rubric: string, models: readonly string[]) => boolean;
  /** How often the model's scores by the rubric were right; empty where it was not audited with labels. */
  readonly calibration: (rubric: string, model: string) => readonly CalibratedScore[];
  readonly problems: readonly string[];
}

const nothing = { reliable: () => false, calibration: () => [] };

/** Reads what judge-audit wrote: `{ "rubrics": [{ "rubric", "model", "verdict", "calibration" }] }`. Null: nothing was audited. */
export async function readAudits(path: string | null): Promise<AuditLookup> {
  if (path === null) return { ...nothing, problems: [] };
  const text = await readFile(path, "utf8").catch(() => null);
  const audits = auditsSchema.safeParse(text === null ? undefined : parseJson(text));
  if (!audits.success)
    return { ...nothing, problems: [`${path}: is not a report of judge-audit --format json`] };
  const trusted = new Set(
    audits.data.rubrics.filter((it) => it.verdict === "reliable").map((it) => pairKey(it.rubric, it.model)),
  );
  const calibrations = new Map(
    audits.data.rubrics.map((it) => [pairKey(it.rubric, it.model), it.calibration]),
  );
  return {
    calibration: (rubric, model) => calibrations.get(pairKey(rubric, model)) ?? [],
    reliable: (rubric, models) => trusted.has(pairKey(rubric, models.join(" + "))),
    problems: [],
  };
}

function pairKey(rubric: string, model: string): string {
  return JSON.stringify([rubric, model]);
}
