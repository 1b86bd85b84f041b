import type { AgentRun } from "../../../model/run.ts";
import type { CompiledQuery } from "../../query/compiled.ts";
import type { JudgePort } from "./port.ts";
import { DEFAULT_MAX_TEXT } from "../prompt/prompt.ts";
import type { Rubric, RubricLibrary } from "../prompt/rubric.ts";
import type { CascadeStep } from "./cascade-step.ts";
import type { CalibratedScore } from "./sureness.ts";
import { type Cascade, cascadeOf, type JudgeSettings, type Panel, panelOf } from "../settings.ts";
import type { Asking } from "./ask.ts";
import { sha256 } from "../../../support/structures/sha256.ts";

/** Judge models and rubrics of the process, created once. */
export interface Judges {
  /** Port to the judge models, which repairs replies, retries, limits costs and caches. */
  readonly port: JudgePort;
  /** Judge model of specs that name none. */
  readonly defaultModel: string;
  readonly rubrics: RubricLibrary;
  /** Share of runs, from 0 to 1, that the ensemble judges (`--sample-ensemble`); null without this option. */
  readonly sampleEnsemble: number | null;
  /** Maximum number of characters of each text block for a judge. */
  readonly maxText?: number;
  /** Whether `judge-audit` found the rubric reliable with these models. */
  readonly audited?: (rubric: Rubric, models: readonly string[]) => boolean;
  /** Returns how often each score of a model was right for a rubric, as measured by `judge-audit`; empty if there are no labels. */
  readonly calibration?: (rubric: Rubric, model: string) => readonly CalibratedScore[];
  /** Records a reply of the first model of a cascade; called for each reply except replies from the cache. */
  readonly onCascade?: (step: CascadeStep) => void;
}

/** Judge settings of a spec. */
export interface SpecJudging {
  /** The `judge_config` of the spec. */
  readonly settings: JudgeSettings;
  /** Returns the text of a `context_file` by its path in the spec; undefined if the file cannot be read. */
  readonly contextFile: (path: string) => string | undefined;
}

/** Everything that is needed to judge one run: judges, settings and the run. */
export interface EvaluationSession {
  readonly run: AgentRun;
  readonly judges: Judges;
  readonly asking: Asking;
  readonly panel: Panel;
  /** Cascade of the spec; null if the panel answers all questions. */
  readonly cascade: Cascade | null;
  readonly maxText: number;
  readonly contextFile: (path: string) => string | undefined;
  /** The query's `retrieval` block, which can name the retrieving tool. */
  readonly retrieval: CompiledQuery["retrieval"];
  readonly preset: CompiledQuery["preset"];
  /** True if the run failed and the failure is only a warning, so that evidence which the failure prevented counts as missing. */
  readonly isFailureAccepted?: boolean;
}

export function sessionOf(
  run: AgentRun,
  judges: Judges,
  spec: SpecJudging,
  signal?: AbortSignal,
  repeat = 0,
  query?: Pick<CompiledQuery, "retrieval" | "preset">,
): EvaluationSession {
  const { settings } = spec;
  const chosen = judges.sampleEnsemble === null ? null : sampled(run.runId, judges.sampleEnsemble);
  return {
    run,
    judges,
    asking: {
      port: judges.port,
      runId: run.runId,
      repeat,
      temperature: settings.temperature ?? 0,
      maxTokens: settings.max_tokens ?? 1024,
      structured: settings.structured_output ?? true,
      ...(signal === undefined ? {} : { signal }),
    },
    panel: panelOf(settings, judges.defaultModel, chosen),
    cascade: cascadeOf(settings),
    maxText: judges.maxText ?? DEFAULT_MAX_TEXT,
    contextFile: spec.contextFile,
    retrieval: query?.retrieval,
    preset: query?.preset,
  };
}

/** Whether a run belongs to a share of all runs. Depends only on the run's id, so that live and replayed runs agree. */
export function sampled(runId: string, share: number): boolean {
  return Number.parseInt(sha256(`ensemble ${runId}`).slice(0, 12), 16) / 2 ** 48 < share;
}
