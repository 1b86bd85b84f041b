import { readFile } from "node:fs/promises";
import { z } from "zod";
import type { CascadeStep } from "../evaluate/judge/ask/cascade-step.ts";
import type { Judges } from "../evaluate/judge/ask/session.ts";
import { openVerdictCache } from "./cache/cache-file.ts";
import { type JudgeProblem, type JudgeSurroundings, resolveJudges } from "./resolve.ts";
import { type Rubric, rubricHash } from "../evaluate/judge/prompt/rubric.ts";
import { loadRubrics, ownRubricFolder } from "./files/rubric-files.ts";
import type { JudgeServiceSettings } from "./settings.ts";
import type { CalibratedScore } from "../evaluate/judge/ask/sureness.ts";
import { documentBounds, parseJson } from "../model/json.ts";

const auditsSchema = z.object({
  rubrics: z.array(
    z.object({
      rubric: z.string(),
      model: z.string(),
      rubric_hash: z.string().exactOptional(),
      verdict: z.string(),
      calibration: z
        .array(z.object({ score: z.number(), cases: z.int().min(0), right: z.int().min(0) }))
        .default([]),
    }),
  ),
});

interface AuditLookup {
  /** Whether an audit found the rubric reliable with these models. */
  readonly reliable: (rubric: Rubric, models: readonly string[]) => boolean;
  /** Returns how often each score of the model was right for the rubric; empty without an audit with labels. */
  readonly calibration: (rubric: Rubric, model: string) => readonly CalibratedScore[];
  readonly problems: () => readonly string[];
}

const nothing = { reliable: () => false, calibration: () => [] };

/**
 * Size in bytes above which the cache in the data folder is renamed to `PATH.1` when it is opened. Later processes also read the renamed
 * file, until a newer file replaces it.
 */
const OWN_CACHE_BYTES = 32 * 1024 * 1024;

export interface OpenJudges {
  readonly judges: Judges | "off";
  /** Models that cannot be called. With `--judge required`, a command that needs one of these models ends with an error. */
  readonly problems: readonly JudgeProblem[];
  /** Problems in rubric files; also part of `warnings`. */
  readonly rubricProblems: readonly string[];
  readonly warnings: () => readonly string[];
  /** Resolves when pending cache entries are written. */
  readonly close: () => Promise<void>;
}

export interface OpenJudgesOptions {
  readonly settings: JudgeServiceSettings;
  /** Models that the specs need, from `wantedModels`; undefined is the default model. */
  readonly models: Iterable<string | undefined>;
  /** Value of `--sample-ensemble`, from 0 to 1; null without this option. */
  readonly sampleEnsemble: number | null;
  readonly surroundings: Omit<JudgeSurroundings, "cache">;
  /** Called for each reply of a cascade's first model, except replies from the cache, to sum the savings. */
  readonly onCascade?: (step: CascadeStep) => void;
}

/** Opens everything that judges need: rubric templates, cache, earlier audits and the port to the models. */
export async function openJudges(options: OpenJudgesOptions): Promise<OpenJudges> {
  const { settings, surroundings, sampleEnsemble } = options;
  if (settings.mode === "off")
    return {
      judges: "off",
      problems: [],
      rubricProblems: [],
      warnings: () => [],
      close: () => Promise.resolve(),
    };
  const files = await loadRubrics([ownRubricFolder(), ...settings.rubrics]);
  const audits = await readAudits(settings.audits);
  const cache =
    typeof settings.cache === "string"
      ? await openVerdictCache(settings.cache, settings.isOwnCache ? OWN_CACHE_BYTES : null)
      : undefined;
  const resolved = resolveJudges(options.models, settings, {
    ...surroundings,
    ...(cache === undefined ? {} : { cache }),
  });
  const { port, defaultModel, problems } = resolved;
  return {
    judges:
      port === "off"
        ? "off"
        : judgesOf(options, { port, defaultModel, rubrics: files.rubrics, sampleEnsemble }, audits),
    problems,
    rubricProblems: files.problems,
    warnings: () => [...files.problems, ...files.warnings, ...audits.problems(), ...(cache?.problems ?? [])],
    close: async () => cache?.flush(),
  };
}

function judgesOf(options: OpenJudgesOptions, judges: Judges, audits: AuditLookup): Judges {
  return {
    ...judges,
    maxText: options.settings.maxText,
    audited: audits.reliable,
    calibration: audits.calibration,
    ...(options.onCascade === undefined ? {} : { onCascade: options.onCascade }),
  };
}

/**
 * Parses a report of `judge-audit`: `{ "rubrics": [{ "rubric", "rubric_hash", "model", "verdict", "calibration" }] }`.
 * @param path null if no audit is configured
 */
async function readAudits(path: string | null): Promise<AuditLookup> {
  if (path === null) return { ...nothing, problems: () => [] };
  const text = await readFile(path, "utf8").catch(() => null);
  const audits = auditsSchema.safeParse(text === null ? undefined : parseJson(text, documentBounds));
  if (!audits.success)
    return {
      ...nothing,
      problems: () => [`${path}: cannot be read as a report of judge-audit --format json`],
    };
  const { rubrics } = audits.data;
  const changed = new Set<string>();
  const found = (rubric: Rubric, model: string): (typeof rubrics)[number] | undefined => {
    // Rubrics of several queries can have one name.
    const named = rubrics.filter((it) => it.rubric === rubric.id && it.model === model);
    const hash = rubricHash(rubric);
    const audit = named.findLast((it) => (it.rubric_hash ?? hash) === hash);
    if (audit !== undefined || named.length === 0) return audit;
    changed.add(
      `${path}: the rubric ${rubric.id} has changed since its audit, which is ignored: run judge-audit again`,
    );
    return undefined;
  };
  return {
    calibration: (rubric, model) => found(rubric, model)?.calibration ?? [],
    reliable: (rubric, models) => found(rubric, models.join(" + "))?.verdict === "reliable",
    problems: () => [...changed],
  };
}
