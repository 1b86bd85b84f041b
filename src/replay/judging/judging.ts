import { setMaxListeners } from "node:events";
import { wantedModels } from "../../evaluate/judge/wanted-models.ts";
import type { UserCheckPort } from "../../evaluate/checks/user/user-check-port.ts";
import type { JudgeSkipPolicy } from "../../evaluate/judge/without-judge.ts";
import type { Config } from "../../config/config.ts";
import type { OpenJudges } from "../../judge/open-judges.ts";
import type { JudgeCall } from "../../judge/limits/scheduler.ts";
import type { JudgeMode } from "../../judge/settings.ts";
import type { JudgeSpend } from "../../model/judge-spend.ts";
import type { Asking } from "../../pipeline/judge-run.ts";
import type { CompiledQuery, CompiledSpec } from "../../evaluate/query/compiled.ts";
import type { Redactor } from "../../support/redact/redactor.ts";
import type { UserCheckRefusal } from "../../judge/user-checks/open-user-checks.ts";
import { UserError } from "../../support/process/io.ts";
import { openRedactor, redactedJudges } from "./redaction.ts";

export interface JudgingOptions {
  readonly config: Pick<Config, "judge" | "prices" | "redact" | "security">;
  /** Value of `--judge`. Default: the mode in the configuration. */
  readonly mode: JudgeMode | undefined;
  readonly specs: readonly CompiledSpec[];
  /** Queries to judge. Default: all. */
  readonly selected?: ReadonlySet<CompiledQuery>;
  /** Models that simulate users of conversations; undefined for the default model. */
  readonly users?: readonly (string | undefined)[];
  /** Value of `--sample-ensemble`; null if not given. */
  readonly sampleEnsemble: number | null;
  readonly env: NodeJS.ProcessEnv;
  readonly observe?: (call: JudgeCall) => void;
  /** Reason for not running the project's own checks. If absent, they run. */
  readonly userCheckRefusal?: UserCheckRefusal | undefined;
}

export interface Judging {
  readonly judgeSkipPolicy: JudgeSkipPolicy;
  /** Judge models and their settings; undefined if no check needs a model. */
  readonly asking: Asking | undefined;
  /** Runs the project's own checks; undefined if there are none. */
  readonly userChecks: UserCheckPort | undefined;
  /** Returns warnings about rubrics, audits and the cache, for example about content that could not be read. */
  readonly warnings: () => readonly string[];
  /** Problems in rubric files; `warnings` returns these problems, too. */
  readonly rubricProblems: readonly string[];
  /** Cancels running calls of judge models. */
  readonly abort: () => void;
  /** Returns the cost and savings of judge models since the start; null if no model is needed. */
  readonly spend: () => JudgeSpend | null;
  /** Ends the project's checks, and writes the waiting entries of the cache. */
  readonly close: () => Promise<void>;
}

/**
 * Opens the judge models and the project's own checks that the specs need. Opens no judge model if neither a check nor a simulated user
 * needs one, or if judge models are off.
 * @throws UserError in mode `required` if a judge model cannot be called
 */
export async function openJudging(options: JudgingOptions): Promise<Judging> {
  const userChecks = await openOwnChecks(options);
  const judging = await openJudges(options);
  return {
    ...judging,
    userChecks,
    close: async () => {
      await userChecks?.close();
      await judging.close();
    },
  };
}

/** Opens the project's own checks. Their code is loaded only if a spec has such a check. */
async function openOwnChecks({ specs, env, userCheckRefusal }: JudgingOptions) {
  const isAnyOwn = specs.some(({ queries }) =>
    queries.some(({ checks }) => checks.some(({ check }) => check.user !== undefined)),
  );
  if (!isAnyOwn) return undefined;
  const { openUserChecks } = await import("../../judge/user-checks/open-user-checks.ts");
  return openUserChecks(specs, env, userCheckRefusal);
}

/** Whether judging with these options may call a judge model. */
export function asksModels(options: Omit<JudgingOptions, "env" | "observe">): boolean {
  return modeOf(options) !== "off" && modelsOf(options).length > 0;
}

function modeOf({ config, mode }: Pick<JudgingOptions, "config" | "mode">): JudgeMode {
  return mode ?? config.judge.mode;
}

function modelsOf({
  specs,
  selected,
  sampleEnsemble,
}: Pick<JudgingOptions, "specs" | "selected" | "sampleEnsemble">): (string | undefined)[] {
  return specs.flatMap(({ queries, judgeConfig }) => [
    ...wantedModels(
      queries.filter((query) => selected?.has(query) ?? true),
      judgeConfig,
      sampleEnsemble !== null,
    ),
  ]);
}

async function openJudges(options: JudgingOptions): Promise<Omit<Judging, "userChecks">> {
  const { config, sampleEnsemble, env, observe } = options;
  const settings = { ...config.judge, mode: modeOf(options) };
  const models = [...modelsOf(options), ...(options.users ?? [])];
  if (settings.mode === "off" || models.length === 0) return nobody(settings.mode);
  const { openJudges: open } = await import("../../judge/open-judges.ts");
  const { refusal } = await import("../../judge/resolve.ts");
  const { judgePrice } = await import("../../judge/providers/price.ts");
  const { createPricer } = await import("../../model/price/price.ts");
  const { JudgeAccount } = await import("../../judge/limits/judge-account.ts");
  const { parseModel } = await import("../../judge/providers/model-name.ts");
  const price = judgePrice(createPricer(config.prices), Date.now);
  const account = new JudgeAccount((model, usage) => price(parseModel(model).id, usage));
  const opened = await open({
    settings,
    models,
    sampleEnsemble,
    onCascade: (step) => account.addCascade(step),
    surroundings: {
      env,
      allowedNetworks: config.security.allowedNetworks,
      price,
      onKept: (model, usage) => account.addKept(model, usage),
      observe: (call) => {
        account.addCall(call);
        observe?.(call);
      },
    },
  });
  const refused = refusal(settings.mode, opened.problems);
  if (refused !== null) throw new UserError(refused);
  return judgingBy(opened, openRedactor(config.redact), () => account.spend);
}

async function judgingBy(
  { judges, warnings, rubricProblems, close }: OpenJudges,
  redactor: Redactor | null,
  spend: () => JudgeSpend,
): Promise<Omit<Judging, "userChecks">> {
  if (judges === "off") return nobody("off");
  const { specJudging } = await import("../../judge/files/context-files.ts");
  const controller = new AbortController();
  // Each waiting call adds a listener to the signal. Without this line, Node would warn of a memory leak when more than ten calls wait.
  setMaxListeners(0, controller.signal);
  return {
    judgeSkipPolicy: { judge: "incomplete" },
    asking: {
      judges: { ...judges, port: redactedJudges(judges.port, redactor) },
      judgingOf: specJudging,
      signal: controller.signal,
    },
    warnings,
    rubricProblems,
    abort: () => controller.abort(),
    spend,
    close,
  };
}

function nobody(mode: JudgeMode): Omit<Judging, "userChecks"> {
  return {
    judgeSkipPolicy: { judge: mode === "off" ? "off" : "incomplete" },
    asking: undefined,
    warnings: () => [],
    rubricProblems: [],
    abort: () => undefined,
    spend: () => null,
    close: () => Promise.resolve(),
  };
}
