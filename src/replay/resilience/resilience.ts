import { join } from "node:path";
import type { CompiledQuery } from "../../evaluate/query/compiled.ts";
import { attributesNeeded } from "../../match/rules/where.ts";
import type { AgentRun } from "../../model/run.ts";
import { checksOf } from "../../model/outcome.ts";
import type { Verdict } from "../../model/verdict.ts";
import { type FaultKind, faultNames } from "../../model/fault-kinds.ts";
import { formatFault } from "../../model-server/faults/fault.ts";
import { ExitCode, type Io, UserError, write } from "../../support/process/io.ts";
import type { Responder } from "../../model-server/server/responder.ts";
import type { AgentModels } from "../agent/models/agent-models.ts";
import type { ReplayModelsOptions } from "../agent/models/replay-models.ts";
import { modelChoice } from "../agent/models/model-option.ts";
import { judgeInto, type JudgingOptions, openFound, prepare, type TestSetup } from "../judging/preparing.ts";
import { type FaultExpectation, faultOutcome, type FaultVerdict, meets } from "./fault-outcome.ts";
import { FaultModels, type Trial } from "./fault-models.ts";
import { snakeCased } from "../../report/json/snake-case.ts";
import { faultTable } from "./fault-table.ts";
import type { FaultRow } from "./resilience-row.ts";

export interface ResilienceOptions extends JudgingOptions {
  readonly exec: string;
  readonly models: readonly string[];
  /** Kinds of faults to inject. Default: the kinds that the query names, otherwise all except `slow`. */
  readonly fault: readonly string[];
  /** Time-out of one call of the agent in seconds. */
  readonly timeout: number;
  readonly keep?: string;
  /** Expected outcome. Default: the expectation in the spec. */
  readonly expect?: FaultExpectation;
  readonly format: "console" | "json";
}

type CommandOptions = Omit<ResilienceOptions, "onIncomplete" | "onMissing">;

/**
 * Runs each query once without a fault and once with each fault, judges the runs, and reports the outcomes.
 */
export async function resilience(given: CommandOptions, io: Io): Promise<ExitCode> {
  const options: ResilienceOptions = { ...given, onIncomplete: "error", onMissing: "error" };
  const named = faultsNamed(options.fault);
  const prepared = await prepare(options, null, io);
  const trials = await tried(named, prepared, options, io);
  const rows = trials.rows;
  if (options.format === "json") {
    await write(io.stdout, `${JSON.stringify({ format_version: 1, rows: snakeCased(rows) }, null, 2)}\n`);
  } else await write(io.stdout, faultTable(rows));
  return exitOf(rows);
}

const NO_CALL = "the run has no model call to which this fault applies";

/** Kinds of faults for queries whose spec names none. */
const usualFaults = faultNames.filter((kind) => kind !== "slow");

function faultsNamed(names: readonly string[]): readonly FaultKind[] {
  return names.map((name) => {
    const kind = faultNames.find((one) => one === name);
    if (kind !== undefined) return kind;
    throw new UserError(`--fault ${name}: unknown kind of fault`, `available: ${faultNames.join(", ")}`);
  });
}

async function tried(
  named: readonly FaultKind[],
  prepared: TestSetup,
  options: ResilienceOptions,
  io: Io,
): Promise<{ readonly rows: readonly FaultRow[] }> {
  const { config, specs, selected } = prepared;
  const models = new FaultModels((queries) => (named.length > 0 ? named : faultsOf(queries)));
  const attributes = [...config.attributes, ...attributesNeeded(specs)];
  const between = (responder: Responder): Responder => models.between(responder);
  models.open(await modelsBehind(options.models, { config, specs, selected, attributes, between, io }));
  const { callAgent } = await import("../judging/agent-calls.ts");
  const stamp = new Date().toISOString().replaceAll(/[:.]/g, "-");
  const called = await callAgent({
    agent: { exec: options.exec },
    selected,
    // Only one call at a time, because the model server injects the fault of the current call.
    workers: 1,
    timeoutMs: options.timeout * 1000,
    keep: options.keep ?? join(config.dataDir, "calls", stamp),
    config,
    attributes,
    openSimulator: () => Promise.resolve(null),
    models,
    io,
    runs: 1,
  });
  const verdicts = await judged(called, prepared, options, io);
  const rows = rowsOf(models, verdicts, options.expect);
  const untried = selected.filter(({ query }) => !models.hasTried(query));
  return { rows: [...rows, ...untried.flatMap(({ query }) => untriedRow(query, options.expect) ?? [])] };
}

/** Returns the kinds of faults for the queries of a question: those that the queries name, otherwise `usualFaults`. */
function faultsOf(queries: readonly Resilient[]): readonly FaultKind[] {
  const blocks = queries.flatMap(({ resilience }) => resilience ?? []);
  const wanted = blocks.flatMap(({ faults }) => faults ?? usualFaults);
  return blocks.length === 0 ? usualFaults : faultNames.filter((kind) => wanted.includes(kind));
}

type Resilient = Pick<CompiledQuery, "resilience">;

type ModelsBehind = Pick<
  ReplayModelsOptions,
  "config" | "specs" | "selected" | "attributes" | "between" | "io"
>;

/**
 * Returns the source of the model answers into which faults are injected: recordings, or the agent's providers.
 * @throws UserError if `names` is neither `live` nor names recordings, or a recording cannot be read
 */
async function modelsBehind(names: readonly string[], given: ModelsBehind): Promise<AgentModels> {
  const choice = modelChoice(names);
  if (choice?.kind === "replay") {
    const { openReplayModels } = await import("../agent/models/replay-models.ts");
    const paths = choice.dumps;
    return openReplayModels({ ...given, paths, onDivergence: "nearest", port: 0, isStarted: true });
  }
  if (choice?.kind !== "live")
    throw new UserError(
      "resilience needs a source of model answers, in which it injects the faults",
      "write --models replay:DUMP, or --models live",
    );
  const { config, io, between } = given;
  const { openProviders } = await import("../agent/recording/open-recording.ts");
  return openProviders({ env: io.env, config, file: null, between });
}

/** Judges the runs of the calls. Returns the verdicts by run id. */
async function judged(
  { source }: Pick<Parameters<typeof judgeInto>[3], "source">,
  prepared: TestSetup,
  options: ResilienceOptions,
  io: Io,
): Promise<ReadonlyMap<string, readonly FaultVerdict[]>> {
  const found = openFound(prepared, options);
  const byRun = new Map<string, readonly FaultVerdict[]>();
  try {
    await judgeInto(found, prepared, options, {
      source,
      onJudged: ({ run, verdicts }) => byRun.set(run.runId, verdicts.map(faultVerdict)),
      io,
    });
    return byRun;
  } finally {
    found.close();
  }
}

function faultVerdict(verdict: Verdict): FaultVerdict {
  const { outcome, spec, queryId } = verdict;
  const checks = checksOf(verdict);
  const warning = checks.filter((check) => check.outcome === "warn");
  const gap = checks.find((check) => check.outcome === "incomplete" || check.outcome === "error");
  return {
    outcome,
    gap: gap === undefined ? null : `${gap.check}: ${gap.message}`,
    warnings: warning.map(({ check, turn }) => JSON.stringify([spec, queryId, check, turn ?? null])),
  };
}

function rowsOf(
  models: FaultModels,
  verdictsByRun: ReadonlyMap<string, readonly FaultVerdict[]>,
  expect: FaultExpectation | undefined,
): readonly FaultRow[] {
  const { trials } = models;
  const verdictsOf = ({ call }: Trial): readonly FaultVerdict[] =>
    (call?.runs ?? []).flatMap(({ runId }) => verdictsByRun.get(runId) ?? []);
  const faultless = new Map(
    trials.filter(({ kind }) => kind === null).map((trial) => [trial.plan.query, trial]),
  );
  return trials.map((trial) => {
    const { plan, kind, fault, call, account } = trial;
    const verdicts = verdictsOf(trial);
    const before = faultless.get(plan.query);
    const { outcome, why } =
      call === null
        ? { outcome: "undecided" as const, why: NO_CALL }
        : faultOutcome({
            call,
            account,
            verdicts,
            before: before === undefined ? [] : verdictsOf(before),
            requestsBefore: before?.account.requests ?? 0,
          });
    const expected = kind === null ? null : (expect ?? expectedBy(models.queriesOf(plan.query), kind));
    return {
      queryId: plan.query.id,
      fault: kind === null ? null : fault === null ? kind : formatFault(fault),
      outcome: kind === null ? null : outcome,
      expected,
      met: expected === null ? null : meets(outcome, expected),
      why: kind === null ? (call?.reason ?? "") : why,
      verdicts: verdicts.map((one) => one.outcome),
      modelCalls: account.requests,
      costUsd: costOf(call?.runs ?? []),
      durationMs: call?.durationMs ?? null,
    };
  });
}

/**
 * Returns the strictest expectation of the queries for a fault; null if no query has `resilience`. Uses only queries whose `faults` contain
 * the fault or are absent. If there is no such query, uses all queries with `resilience`.
 */
function expectedBy(queries: readonly Resilient[], kind: FaultKind): FaultExpectation | null {
  const blocks = queries.flatMap(({ resilience }) => resilience ?? []);
  const naming = blocks.filter(({ faults }) => faults === undefined || faults.includes(kind));
  const own = naming.length > 0 ? naming : blocks;
  if (own.length === 0) return null;
  return own.every(({ expect }) => expect === "degraded") ? "degraded" : "recovered";
}

/** Returns an undecided row for a query that was not run, so that the command does not pass. Null if the query has no expectation. */
function untriedRow(query: CompiledQuery, expect: FaultExpectation | undefined): FaultRow | null {
  const { resilience } = query;
  const expected = expect ?? (resilience === undefined ? null : (resilience.expect ?? "recovered"));
  if (expected === null) return null;
  return {
    queryId: query.id,
    fault: null,
    outcome: "undecided",
    expected,
    met: null,
    why: "the query was not run, because it has no recorded run, or no text that can be sent",
    verdicts: [],
    modelCalls: 0,
    costUsd: null,
    durationMs: null,
  };
}

function costOf(runs: readonly Pick<AgentRun, "costUsd">[]): number | null {
  if (runs.length === 0) return null;
  let sum = 0;
  for (const { costUsd } of runs) {
    if (costUsd === null) return null;
    sum += costUsd;
  }
  return sum;
}

/**
 * Returns the exit code. Failed: an expectation is not met. Undecided: there is no row, an expectation is undecided, or all expectations of
 * a query are undecided. Passed: otherwise. If the run has no model call to which a fault applies, the expectation for this fault does not
 * count as undecided.
 */
function exitOf(rows: readonly FaultRow[]): ExitCode {
  if (rows.length === 0) return ExitCode.undecided;
  const expecting = rows.filter(({ expected }) => expected !== null);
  if (expecting.some(({ met }) => met === false)) return ExitCode.failed;
  const isOpen = (row: FaultRow): boolean => row.met === null && row.why !== NO_CALL;
  const queries = new Set(expecting.map(({ queryId }) => queryId));
  const decided = new Set(expecting.filter(({ met }) => met === true).map(({ queryId }) => queryId));
  return expecting.some(isOpen) || decided.size < queries.size ? ExitCode.undecided : ExitCode.passed;
}
