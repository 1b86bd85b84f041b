import { type TriedRun, strengthOf, tally } from "../../../../evaluate/strength/tally.ts";
import { tryRun } from "../../../../evaluate/strength/strength.ts";
import { withVariables } from "../../../../evaluate/rules/variables.ts";
import { selectQueries } from "../../../../match/selection.ts";
import { capturesOf } from "../../../../match/rules/variables.ts";
import { attributesNeeded } from "../../../../match/rules/where.ts";
import { createJudgeRun } from "../../../../pipeline/judge-run.ts";
import { reliabilityLimits } from "../../../../report/render/report/gated-groups.ts";
import { strengthConsole, strengthJson } from "../../../../report/render/commands/strength-report.ts";
import { colourTheme, plainTheme } from "../../../../report/render/terminal/theme.ts";
import { version } from "../../../../support/process/version.ts";
import { replay, replayIo, writeInvalid } from "../../../../replay/replay.ts";
import { ExitCode } from "../../../../support/process/exit-code.ts";
import { type Io, wantsColour, write } from "../../../../support/process/io.ts";
import { type ConfigFlags, loadSettings, loadSpecs } from "../../../../config/command-settings.ts";

export interface StrengthCommand extends ConfigFlags {
  readonly spec: readonly string[];
  readonly query: readonly string[];
  readonly tags?: readonly string[];
  readonly seed: number;
  /** Mutants of each kind a run. */
  readonly mutants: number;
  /** Least share of mutants to be noticed. */
  readonly minStrength?: number;
  readonly format: "console" | "json";
}

/**
 * Makes good recorded runs bad in one way after the other and looks which faults the specs would let pass. Exit code 1 below
 * `--min-strength`, 2 when no run passed that could have been tried.
 */
export async function strength(
  dumps: readonly string[],
  options: StrengthCommand,
  io: Io,
): Promise<ExitCode> {
  const { config } = await loadSettings(options, io);
  const specs = await loadSpecs(options.spec, io, config);
  const selected = selectQueries(specs, { queries: options.query, tags: options.tags ?? [] });
  const judge = createJudgeRun({
    specs,
    selected: new Set(selected.map(({ query }) => query)),
    judgeSkipPolicy: { judge: "off" },
    engine: version,
  });
  const trying = {
    seed: options.seed,
    most: options.mutants,
    reference: { missing: "not-asked", version: null },
  } as const;
  const tried: TriedRun[] = [];
  const attributes = [...config.attributes, ...attributesNeeded(specs)];
  const { invalid } = await replay(dumps, {
    config: { ...config, attributes },
    ...replayIo(io),
    onRun: (run) => {
      const { verdicts, matched } = judge(run);
      for (const [at, { spec, queryId }] of verdicts.entries()) {
        const query = matched[at];
        if (query === undefined) continue;
        const filled = withVariables(query, capturesOf(query, run.query));
        tried.push({ spec, queryId, trials: tryRun(run, filled, trying) });
      }
    },
  });
  await writeInvalid(io, invalid, "warning: ");
  const queries = tally(
    selected.map(({ spec, query: { id, reliability } }) => ({
      spec: spec.name,
      queryId: id,
      reliability: reliability === undefined ? undefined : reliabilityLimits(reliability),
    })),
    tried,
  );
  const theme = wantsColour(io.stdout, io.env) ? colourTheme : plainTheme;
  await write(
    io.stdout,
    options.format === "json"
      ? `${JSON.stringify(strengthJson(queries, options.seed))}\n`
      : strengthConsole(queries, theme),
  );
  const reached = strengthOf(
    queries.reduce((sum, { killed }) => sum + killed, 0),
    queries.reduce((sum, { survived }) => sum + survived, 0),
  );
  if (reached === null) return ExitCode.couldNotTell;
  return reached < (options.minStrength ?? 0) ? ExitCode.failed : ExitCode.passed;
}
