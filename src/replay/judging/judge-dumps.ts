import { attributesNeeded } from "../../match/rules/where.ts";
import type { Config } from "../../config/config.ts";
import type { JudgeMode } from "../../judge/settings.ts";
import type { JudgeSpend } from "../../model/judge-spend.ts";
import type { AgentRun } from "../../model/run.ts";
import { createAskingJudge, type JudgedRun, type JudgeRunOptions } from "../../pipeline/judge-run.ts";
import type { CompiledQuery, CompiledSpec } from "../../evaluate/query/compiled.ts";
import type { UserCheckRefusal } from "../../judge/user-checks/open-user-checks.ts";
import { version } from "../../support/process/version.ts";
import { type Io, write } from "../../support/process/io.ts";
import { today } from "./today.ts";
import { conversationIdle } from "./conversation-idle.ts";
import { openJudging } from "./judging.ts";
import type { Replayed } from "../replay.ts";
import { replayJudged, type RunSource } from "./replay-judged.ts";
import { replayIo } from "../replay.ts";

export interface JudgeDumpsOptions {
  readonly dumps: readonly string[];
  readonly config: Config;
  readonly specs: readonly CompiledSpec[];
  /** Value of `--judge`. Default: the mode in the configuration. */
  readonly mode: JudgeMode | undefined;
  /** Queries to judge. Default: all. */
  readonly selected?: ReadonlySet<CompiledQuery>;
  readonly sampleEnsemble?: number | undefined;
  readonly userCheckRefusal?: UserCheckRefusal | undefined;
  readonly reference?: JudgeRunOptions["reference"];
  readonly onJudged: (judged: JudgedRun) => void;
  /** Called with the cost of each call of a judge model in US dollars; null if unknown. */
  readonly onJudgeCost?: ((costUsd: number | null) => void) | undefined;
  /** Called at the end with the cost and savings of judge models. The callback is not called if no model was needed. */
  readonly onJudgeSpend?: ((spend: JudgeSpend) => void) | undefined;
  readonly io: Io;
  readonly longBytes?: number | undefined;
  /** Replaces today's date (`YYYY-MM-DD`). */
  readonly today?: string | undefined;
  readonly source?: RunSource | undefined;
  /** Selects the runs to judge. Default: all. */
  readonly wanted?: (run: AgentRun) => boolean;
}

/** Replays dumps and judges the selected runs. Calls judge models if the specs need them. Prints errors of judge models on stderr. */
export async function judgeDumps(options: JudgeDumpsOptions): Promise<Replayed> {
  const { dumps, config, specs, selected, reference, onJudged, onJudgeCost, io } = options;
  const judging = await openJudging({
    config,
    mode: options.mode,
    specs,
    ...(selected === undefined ? {} : { selected }),
    sampleEnsemble: options.sampleEnsemble ?? null,
    env: io.env,
    userCheckRefusal: options.userCheckRefusal,
    ...(onJudgeCost === undefined ? {} : { observe: ({ costUsd }) => onJudgeCost(costUsd) }),
  });
  const judge = createAskingJudge(
    {
      specs,
      judgeSkipPolicy: judging.judgeSkipPolicy,
      userChecks: judging.userChecks,
      engine: version,
      today: options.today === undefined ? today : () => options.today ?? "",
      ...(selected === undefined ? {} : { selected }),
      ...(reference === undefined ? {} : { reference }),
    },
    judging.asking,
  );
  const attributes = [...config.attributes, ...attributesNeeded(specs)];
  const kept = { ...config, attributes };
  const replayed = await replayJudged(dumps, {
    config: kept,
    ...replayIo(io),
    conversationIdleMs: conversationIdle(specs, config),
    judge,
    onJudged,
    longBytes: options.longBytes,
    source: options.source,
    wanted: options.wanted,
  });
  const spend = judging.spend();
  if (spend !== null) options.onJudgeSpend?.(spend);
  await judging.close();
  for (const warning of judging.warnings()) await write(io.stderr, `warning: ${warning}\n`);
  return replayed;
}
