import { type BacktestReport, type Flip, flipOf, isWorse, type Judgement } from "../../backtest/flips.ts";
import type { JudgeMode } from "../../judge/settings.ts";
import { missingQueries, selectQueries } from "../../match/selection.ts";
import { attributesNeeded } from "../../match/where.ts";
import type { AgentRun } from "../../model/run.ts";
import { createAskingJudge, type JudgedRun, type Pending } from "../../pipeline/judge-run.ts";
import { backtestConsole, backtestJson, backtestMarkdown } from "../../render/backtest.ts";
import type { InvalidInput } from "../../render/result.ts";
import { colourTheme, plainTheme } from "../../render/theme.ts";
import { withoutCommands } from "../../render/workflow-command.ts";
import type { CompiledQuery, CompiledSpec } from "../../spec/compiled.ts";
import { version } from "../../version.ts";
import { openReferences } from "../baseline/references.ts";
import { conversationIdle } from "../engine/conversation-idle.ts";
import { openJudging } from "../engine/judging.ts";
import { replayJudged } from "../engine/replay-judged.ts";
import { today } from "../engine/today.ts";
import { ExitCode, UserError } from "../exit-code.ts";
import { type Io, wantsColour, write } from "../io.ts";
import { type ConfigFlags, loadSettings, loadSpecs } from "../settings.ts";

export interface BacktestOptions extends ConfigFlags {
  /** The changed specs. */
  readonly spec: readonly string[];
  /** The specs as they were. */
  readonly base: readonly string[];
  readonly judge?: JudgeMode;
  readonly baseline?: string;
  readonly baselineDir?: string;
  readonly failOn?: "worse" | "any";
  readonly skipInvalid?: boolean;
  readonly format: "console" | "json" | "markdown";
}

/**
 * Judges every run by two versions of a spec and names those whose verdict differs. Exit 0 however many flip, unless `--fail-on` says
 * otherwise; 2 when there is no run, or input could not be read.
 */
export async function backtest(
  dumps: readonly string[],
  options: BacktestOptions,
  io: Io,
): Promise<ExitCode> {
  const { config } = await loadSettings(options, io);
  const pairs = pairsOf(await loadSpecs(options.base, io), await loadSpecs(options.spec, io));
  const bases = pairs.map(({ base }) => base);
  const specs = pairs.map(({ spec }) => spec);
  const all = [...bases, ...specs];
  const judging = await openJudging({
    config,
    mode: options.judge,
    specs: all,
    sampleEnsemble: null,
    env: io.env,
  });
  const judgeBy = (some: readonly CompiledSpec[]) => {
    const { reference } = openReferences(some, {
      version: options.baseline ?? config.baseline ?? undefined,
      dir: options.baselineDir ?? config.baselineDir ?? undefined,
    });
    return createAskingJudge(
      {
        specs: some,
        unasked: judging.unasked,
        userChecks: judging.userChecks,
        engine: version,
        today,
        reference,
      },
      judging.asking,
    );
  };
  const tally = new Tally(pairs);
  const { invalid } = await replayJudged(dumps, {
    config: { ...config, attributes: [...config.attributes, ...attributesNeeded(all)] },
    stdin: io.stdin,
    conversationIdleMs: conversationIdle(all, config),
    judge: judgedByBoth(judgeBy(bases), judgeBy(specs), (before, after) => tally.add(before, after)),
    onJudged: () => undefined,
  });
  await judging.close();
  await sayWhatIsWrong(judging.warnings(), invalid, io);
  const report = tally.report();
  const code = exitCode(report, invalid, options);
  await write(io.stdout, shown(report, code, options, io));
  return code;
}

interface Pair {
  readonly base: CompiledSpec;
  readonly spec: CompiledSpec;
}

/** One spec with one, however they are called; several by their names. */
function pairsOf(bases: readonly CompiledSpec[], specs: readonly CompiledSpec[]): readonly Pair[] {
  const [base] = bases;
  const [spec] = specs;
  if (base !== undefined && spec !== undefined && bases.length === 1 && specs.length === 1)
    return [{ base, spec }];
  const pairs = specs.flatMap((one) => {
    const old = bases.find(({ name }) => name === one.name);
    return old === undefined ? [] : [{ base: old, spec: one }];
  });
  if (pairs.length === specs.length && pairs.length === bases.length) return pairs;
  const lone = [...specs, ...bases].filter(
    (one) => !pairs.some((pair) => pair.spec === one || pair.base === one),
  );
  throw new UserError(
    `these specs have no counterpart of the same name: ${lone.map(({ file }) => file).join(", ")}`,
    "give the same file names for --spec and --base, or one spec each",
  );
}

type Judge = (run: AgentRun) => JudgedRun | Pending;

/** Both judgements of a run, told together. What the queue is given is the second one. */
function judgedByBoth(
  before: Judge,
  after: Judge,
  onBoth: (before: JudgedRun, after: JudgedRun) => void,
): Judge {
  const both = (left: JudgedRun, right: JudgedRun): JudgedRun => {
    onBoth(left, right);
    return right;
  };
  return (run) => {
    const left = before(run);
    const right = after(run);
    if ("verdicts" in left && "verdicts" in right) return both(left, right);
    const asked = (one: JudgedRun | Pending): Promise<JudgedRun> =>
      "verdicts" in one ? Promise.resolve(one) : one.ask();
    return {
      ask: async () => both(...(await Promise.all([asked(left), asked(right)]))),
      giveUp: (unasked) => {
        const given = (one: JudgedRun | Pending): JudgedRun =>
          "verdicts" in one ? one : one.giveUp(unasked);
        return both(given(left), given(right));
      },
    };
  };
}

/** Collects the flips, run by run. */
class Tally {
  readonly #pairs: readonly Pair[];
  readonly #flips: Flip[] = [];
  readonly #matched = new Set<CompiledQuery>();
  #runs = 0;
  #judged = 0;

  constructor(pairs: readonly Pair[]) {
    this.#pairs = pairs;
  }

  add(before: JudgedRun, after: JudgedRun): void {
    const { run } = after;
    if (run.turns === undefined) this.#runs++;
    if (before.verdicts.length + after.verdicts.length > 0) this.#judged++;
    for (const query of after.matched) this.#matched.add(query);
    for (const { base, spec } of this.#pairs) {
      const flip = flipOf(spec.name, run, judgementBy(before, base), judgementBy(after, spec));
      if (flip !== null) this.#flips.push(flip);
    }
  }

  report(): BacktestReport {
    const specs = this.#pairs.map(({ spec }) => spec);
    const selected = selectQueries(specs, { queries: [], tags: [] });
    return {
      base: this.#pairs.map(({ base: { file, hash } }) => ({ file, hash })),
      spec: specs.map(({ file, hash }) => ({ file, hash })),
      runs: this.#runs,
      judged: this.#judged,
      flips: this.#flips.sort((a, b) => a.startUnixMs - b.startUnixMs || (a.runId < b.runId ? -1 : 1)),
      missing: missingQueries(selected, this.#matched).map(({ query }) => query.id),
    };
  }
}

function judgementBy(judged: JudgedRun, spec: CompiledSpec): Judgement {
  const at = judged.matched.findIndex((query) => spec.queries.includes(query));
  return {
    verdict: judged.verdicts[at],
    ambiguous: judged.ambiguous.find((one) => one.spec === spec.name),
  };
}

async function sayWhatIsWrong(
  warnings: readonly string[],
  invalid: readonly InvalidInput[],
  io: Io,
): Promise<void> {
  for (const warning of warnings) await write(io.stderr, `warning: ${warning}\n`);
  for (const { file, line, reason } of invalid) {
    await write(io.stderr, `warning: ${file}${line === null ? "" : `:${line}`}: ${reason}\n`);
  }
}

function exitCode(
  report: BacktestReport,
  invalid: readonly InvalidInput[],
  { failOn, skipInvalid }: BacktestOptions,
): ExitCode {
  const fails = failOn === "any" ? report.flips.length > 0 : failOn === "worse" && report.flips.some(isWorse);
  if (fails) return ExitCode.failed;
  const unread = invalid.length > 0 && skipInvalid !== true;
  return report.runs === 0 || unread ? ExitCode.couldNotTell : ExitCode.passed;
}

function shown(report: BacktestReport, code: ExitCode, { format }: BacktestOptions, io: Io): string {
  if (format === "json") return `${JSON.stringify(backtestJson(report, code))}\n`;
  if (format === "markdown") return backtestMarkdown(report);
  return withoutCommands(
    backtestConsole(report, code, wantsColour(io.stdout, io.env) ? colourTheme : plainTheme),
  );
}
