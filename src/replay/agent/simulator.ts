import type { JudgeMode } from "../../judge/settings.ts";
import type { JudgeSpend } from "../../model/judge-spend.ts";
import type { Config } from "../../config/config.ts";
import type { SpecQuery } from "../../match/selection.ts";
import {
  maxTurnsOf,
  nextMessage,
  type NextMessage,
  type Utterance,
} from "../../evaluate/judge/simulate/simulated-user.ts";
import type { Io } from "../../support/process/io.ts";
import { openJudging } from "../judging/judging.ts";
import type { CallPlan } from "./call.ts";

/** Simulates the users of conversations with `simulate`. The caller must close the simulator. */
export interface Simulator {
  /** Returns the maximum number of user messages, including the messages in the spec; null if the query has no simulated user. */
  readonly maxTurns: (plan: CallPlan) => number | null;
  /**
   * Returns why the user of a query cannot be simulated, and what to do; null if the user can be simulated.
   */
  readonly unavailable: (plan: CallPlan) => { readonly message: string; readonly remedy: string } | null;
  readonly next: (
    plan: CallPlan,
    session: string,
    conversation: readonly Utterance[],
  ) => Promise<NextMessage>;
  readonly close: () => Promise<void>;
}

export interface SimulatorOptions {
  readonly config: Config;
  readonly selected: readonly SpecQuery[];
  /** Value of `--judge`. Default: the mode in the configuration. */
  readonly mode: JudgeMode | undefined;
  /** Receives the cost of each model call in US dollars, to add up costs; null if unknown. */
  readonly onCost?: ((costUsd: number | null) => void) | undefined;
  /** Receives the cost of all model calls at the end. */
  readonly onSpend?: ((spend: JudgeSpend) => void) | undefined;
  readonly io: Io;
}

const isOff = {
  message: "the user is simulated by a judge model, and judges are off",
  remedy: "remove `--judge off`, or select queries without a simulated user with --query",
};

/**
 * Opens the models that simulate users. Resolves to null if no query simulates a user.
 * Rejects with `UserError` if a model cannot be called and judges are `required`.
 */
export async function openSimulator(options: SimulatorOptions): Promise<Simulator | null> {
  const { config, selected, mode, onCost, onSpend, io } = options;
  const simulated = selected.filter(({ query }) => query.simulate !== undefined);
  if (simulated.length === 0) return null;
  const judging = await openJudging({
    config,
    mode,
    specs: [],
    users: simulated.map(({ spec, query }) => query.simulate?.model ?? spec.judgeConfig.model),
    sampleEnsemble: null,
    env: io.env,
    ...(onCost === undefined ? {} : { observe: ({ costUsd }) => onCost(costUsd) }),
  });
  const judges = judging.asking?.judges;
  const modelOf = ({ spec, query }: CallPlan): string =>
    query.simulate?.model ?? spec.judgeConfig.model ?? judges?.defaultModel ?? "";
  return {
    maxTurns: ({ query: { simulate } }) => (simulate === undefined ? null : maxTurnsOf(simulate)),
    unavailable: (plan) => (judges === undefined ? isOff : judges.port.unavailable(modelOf(plan))),
    next: (plan, session, conversation) => {
      const { spec, query, number } = plan;
      if (judges === undefined || query.simulate === undefined)
        return Promise.resolve({ ok: false, message: isOff.message });
      return nextMessage(
        {
          port: judges.port,
          model: modelOf(plan),
          simulate: query.simulate,
          settings: spec.judgeConfig,
          conversation: session,
          number,
        },
        conversation,
      );
    },
    close: async () => {
      const spend = judging.spend();
      if (spend !== null) onSpend?.(spend);
      await judging.close();
    },
  };
}
