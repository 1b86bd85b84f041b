import type { CascadeStep } from "../evaluate/judge/ask/cascade-step.ts";
import type { Judges } from "../evaluate/judge/ask/session.ts";
import { type AuditLookup, readAudits } from "./files/audit-file.ts";
import { openVerdictCache } from "./cache/cache-file.ts";
import { type JudgeProblem, type JudgeSurroundings, resolveJudges } from "./resolve.ts";
import { loadRubrics, ownRubricFolder } from "./files/rubric-files.ts";
import type { JudgeServiceSettings } from "./settings.ts";

/** A larger cache in the data folder is put aside and still read: twice as much at most. */
const OWN_CACHE_BYTES = 32 * 1024 * 1024;

export interface OpenJudges {
  /** "off" when judges are off. */
  readonly judges: Judges | "off";
  /** Models that can not be asked; under `required` these are a reason not to start. */
  readonly problems: readonly JudgeProblem[];
  /** Files that could be used in part only. */
  /** What is wrong with files of rubrics; among the warnings, too. */
  readonly rubricProblems: readonly string[];
  readonly warnings: () => readonly string[];
  /** Writes what is still to be stored. */
  readonly close: () => Promise<void>;
}

export interface OpenJudgesOptions {
  readonly settings: JudgeServiceSettings;
  /** What the specs want, from `wantedModels`. */
  readonly models: Iterable<string | undefined>;
  /** `--sample-ensemble`; null when not given. */
  readonly sampleEnsemble: number | null;
  readonly surroundings: Omit<JudgeSurroundings, "cache">;
  /** Sees each question that was put to a first model. */
  readonly onCascade?: (step: CascadeStep) => void;
}

/** Opens everything judging needs: rubric templates, the cache, earlier audits, and the port. */
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
    warnings: () => [...files.problems, ...files.warnings, ...audits.problems, ...(cache?.problems ?? [])],
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
