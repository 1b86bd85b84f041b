import { join } from "node:path";
import { attributesNeeded } from "../../match/rules/where.ts";
import type { AgentRun } from "../../model/run.ts";
import type { Outcome } from "../../model/outcome.ts";
import { type FaultKind, faultNames, formatFault } from "../../model-server/faults/fault.ts";
import { ExitCode, UserError } from "../../support/process/exit-code.ts";
import { type Io, write } from "../../support/process/io.ts";
import { modelChoice } from "../agent/models/model-option.ts";
import { judgeInto, type JudgingOptions, openFound, prepare, type TestSetup } from "../judging/preparing.ts";
import { faultOutcome } from "./fault-outcome.ts";
import { FaultModels, type Trial } from "./fault-models.ts";
import { faultTable } from "./fault-table.ts";
import type { FaultRow } from "./resilience-row.ts";

export interface ResilienceOptions extends JudgingOptions {
  readonly exec: string;
  readonly models: readonly string[];
  /** All kinds when empty. */
  readonly fault: readonly string[];
  /** Seconds for one call of the agent. */
  readonly timeout: number;
  readonly keep?: string;
  /** The worst outcome that is no failure; none: it is reported only. */
  readonly expect?: "recovered" | "degraded";
  readonly format: "console" | "json";
}

/** Runs each query with each fault, judges, and reports what became of it. */
export async function resilience(options: ResilienceOptions, io: Io): Promise<ExitCode> {
  const kinds = faultsOf(options.fault);
  const prepared = await prepare(options, null, io);
  const trials = await tried(kinds, prepared, options, io);
  const rows = trials.rows;
  if (options.format === "json") {
    await write(io.stdout, `${JSON.stringify({ format_version: 1, rows: rows.map(rowJson) }, null, 2)}\n`);
  } else await write(io.stdout, faultTable(rows));
  return exitOf(rows, options.expect);
}

function faultsOf(names: readonly string[]): readonly FaultKind[] {
  if (names.length === 0) return faultNames.filter((kind) => kind !== "slow");
  return names.map((name) => {
    const kind = faultNames.find((one) => one === name);
    if (kind !== undefined) return kind;
    throw new UserError(`--fault ${name}: no such fault`, `there are ${faultNames.join(", ")}`);
  });
}

async function tried(
  kinds: readonly FaultKind[],
  prepared: TestSetup,
  options: ResilienceOptions,
  io: Io,
): Promise<{ readonly rows: readonly FaultRow[] }> {
  const { config, specs, selected } = prepared;
  const choice = modelChoice(options.models);
  if (choice?.kind !== "replay")
    throw new UserError("resilience plays recorded answers back", "write --models replay:DUMP");
  const models = new FaultModels(kinds);
  const attributes = [...config.attributes, ...attributesNeeded(specs)];
  const { openReplayModels } = await import("../agent/models/replay-models.ts");
  models.open(
    await openReplayModels({
      config,
      specs,
      selected,
      attributes,
      paths: choice.dumps,
      onDivergence: "nearest",
      port: 0,
      isStarted: true,
      between: (responder) => models.between(responder),
      io,
    }),
  );
  const { callAgent } = await import("../judging/agent-calls.ts");
  const stamp = new Date().toISOString().replaceAll(/[:.]/g, "-");
  const called = await callAgent({
    agent: { exec: options.exec },
    selected,
    // A fault belongs to the one call that is being made.
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
  const outcomes = await judged(called, prepared, options, io);
  return { rows: rowsOf(models.trials, outcomes) };
}

/** The outcomes of each run's verdicts. */
async function judged(
  { source }: Pick<Parameters<typeof judgeInto>[3], "source">,
  prepared: TestSetup,
  options: ResilienceOptions,
  io: Io,
): Promise<ReadonlyMap<string, readonly Outcome[]>> {
  const found = openFound(prepared, options);
  const outcomes = new Map<string, readonly Outcome[]>();
  try {
    await judgeInto(found, prepared, options, {
      source,
      onJudged: ({ run, verdicts }) =>
        outcomes.set(
          run.runId,
          verdicts.map(({ outcome }) => outcome),
        ),
      io,
    });
    return outcomes;
  } finally {
    found.close();
  }
}

function rowsOf(
  trials: readonly Trial[],
  outcomes: ReadonlyMap<string, readonly Outcome[]>,
): readonly FaultRow[] {
  const verdictsOf = ({ call }: Trial): readonly Outcome[] =>
    (call?.runs ?? []).flatMap(({ runId }) => outcomes.get(runId) ?? []);
  const before = new Map(
    trials.filter(({ kind }) => kind === null).map((trial) => [trial.plan.query, verdictsOf(trial)]),
  );
  return trials.map((trial) => {
    const { plan, kind, fault, call, account } = trial;
    const verdicts = verdictsOf(trial);
    const { outcome, why } =
      call === null
        ? { outcome: "undecided" as const, why: "the run has no model call for this fault" }
        : faultOutcome({ call, account, verdicts, before: before.get(plan.query) ?? [] });
    return {
      queryId: plan.query.id,
      fault: kind === null ? null : fault === null ? kind : formatFault(fault),
      outcome: kind === null ? null : outcome,
      why: kind === null ? (call?.reason ?? "") : why,
      verdicts,
      modelCalls: account.requests,
      costUsd: costOf(call?.runs ?? []),
      durationMs: call?.durationMs ?? null,
    };
  });
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

function exitOf(rows: readonly FaultRow[], expect: ResilienceOptions["expect"]): ExitCode {
  if (rows.length === 0) return ExitCode.couldNotTell;
  if (expect === undefined) return ExitCode.passed;
  const met = expect === "recovered" ? ["recovered"] : ["recovered", "degraded"];
  const outcomes = rows.flatMap(({ outcome, why }) =>
    outcome === null || why === "the run has no model call for this fault" ? [] : [outcome],
  );
  if (outcomes.some((outcome) => outcome !== "undecided" && !met.includes(outcome))) return ExitCode.failed;
  return outcomes.includes("undecided") || outcomes.length === 0 ? ExitCode.couldNotTell : ExitCode.passed;
}

function rowJson(row: FaultRow): object {
  return {
    query_id: row.queryId,
    fault: row.fault,
    outcome: row.outcome,
    why: row.why,
    verdicts: row.verdicts,
    model_calls: row.modelCalls,
    cost_usd: row.costUsd,
    duration_ms: row.durationMs,
  };
}
