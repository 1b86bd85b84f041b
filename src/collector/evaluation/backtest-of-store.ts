import { setImmediate as breathe } from "node:timers/promises";
import type { Endpoint } from "../../interfaces/api/http/endpoint.ts";
import {
  type BacktestAnswer,
  backtestEndpoints,
  type BacktestRequest,
} from "../../interfaces/api/endpoints/backtest.ts";
import type { Archive } from "../../store/archive.ts";
import { defaultTraceTimeouts } from "../../assemble/timeouts/trace-timeouts.ts";
import { checks } from "../../evaluate/checks/registry.ts";
import { attributesNeeded } from "../../match/rules/where.ts";
import type { AgentRun } from "../../model/run.ts";
import { createJudgeRun } from "../../pipeline/judge-run.ts";
import type { PriceOverrides } from "../../model/price/price.ts";
import { backtestJson } from "../../report/render/commands/backtest.ts";
import type { CompiledSpec } from "../../evaluate/query/compiled.ts";
import { loadSpec } from "../../spec/load.ts";
import { readTelemetry } from "../../store/read/read-telemetry.ts";
import { version } from "../../support/process/version.ts";
import { judgedByBoth, Tally } from "../../replay/judging/backtesting.ts";
import { createEngine, type Engine, type EngineOptions } from "../../replay/engine.ts";
import { today } from "../../replay/judging/today.ts";
import { ExitCode } from "../../support/process/io.ts";

export interface BacktestSettings {
  readonly attributes: readonly string[];
  readonly prices: PriceOverrides;
  /** The collector's engine, whose dialects the backtest uses. */
  readonly engine: Pick<Engine, "dialects">;
}

/** Maximum number of runs that are read at once. The event loop handles requests between two batches. */
const AT_ONCE = 20;

/** Returns the API endpoint for backtests; an empty list if runs are not stored. */
export function backtesting(
  archive: Archive | null,
  specs: () => readonly CompiledSpec[],
  settings: BacktestSettings,
  now: () => number,
): readonly Endpoint[] {
  if (archive === null) return [];
  return backtestEndpoints((request) => backtestOfStore(archive, specs(), settings, request), now);
}

/**
 * Judges stored runs with a changed spec and with the current spec, and compares the results. The changed spec comes from the network, so
 * the files that it names are not read. Judge models and the project's own checks are skipped for both specs.
 */
async function backtestOfStore(
  archive: Archive,
  served: readonly CompiledSpec[],
  { attributes, prices, engine: { dialects } }: BacktestSettings,
  request: BacktestRequest,
): Promise<BacktestAnswer> {
  const changed = readSpec(request.spec, "spec");
  if ("problems" in changed) return changed;
  const base = baseOf(request, served, changed.spec);
  if ("problems" in base) return base;
  const both = [base.spec, changed.spec];
  const tally = new Tally([{ base: base.spec, spec: changed.spec }]);
  const judgeBy = (spec: CompiledSpec) =>
    createJudgeRun({ specs: [spec], judgeSkipPolicy: { judge: "off" }, engine: version, today });
  const judge = judgedByBoth(judgeBy(base.spec), judgeBy(changed.spec), (before, after) =>
    tally.add(before, after),
  );
  const engine = { attributes: [...attributes, ...attributesNeeded(both)], prices, dialects };
  let unreadable = 0;
  let left = request.limit;
  for (let cursor: string | null = null; left > 0;) {
    const page = await archive.runs(request.filter, Math.min(left, AT_ONCE), cursor);
    if (page === undefined) break;
    const ids = page.items.map(({ run_id: runId }) => runId);
    const runs = await runsOf(archive, ids, engine);
    for (const run of runs) judge(run);
    unreadable += ids.length - runs.length;
    left -= ids.length;
    cursor = page.next;
    if (cursor === null) break;
    await breathe();
  }
  const { summary, ...report } = backtestJson(tally.report(), ExitCode.passed) as {
    summary: Record<string, unknown>;
  };
  const { exit_code: _, ...counts } = summary;
  return { report: { ...report, summary: { ...counts, without_telemetry: unreadable } } };
}

type ReadSpec = { readonly spec: CompiledSpec } | { readonly problems: readonly string[] };

function readSpec(text: string, name: string): ReadSpec {
  const loaded = loadSpec({ file: name, text, realPath: name }, { checks });
  if (loaded.ok) return { spec: loaded.spec };
  const errors = loaded.problems.filter(({ severity }) => severity === "error");
  return {
    problems: errors.map(
      ({ file, line, column, message, hint }) =>
        `${file}:${line}:${column}: ${message}${hint === null ? "" : ` (${hint})`}`,
    ),
  };
}

function baseOf({ base }: BacktestRequest, served: readonly CompiledSpec[], changed: CompiledSpec): ReadSpec {
  if (base !== undefined && base.includes("\n")) return readSpec(base, "base");
  const named = served.find(({ name }) => name === (base ?? changed.name));
  const found =
    named ?? (base === undefined ? served.find(({ agent }) => agent === changed.agent) : undefined);
  if (found !== undefined) return { spec: found };
  const names = served.map(({ name }) => name).join(", ");
  return {
    problems: [
      `the collector has no spec "${base ?? changed.name}" (available: ${names}); set base to one of these names, or to the text of a spec`,
    ],
  };
}

/** Creates these runs again from their stored telemetry. */
async function runsOf(
  archive: Archive,
  ids: readonly string[],
  settings: Pick<EngineOptions, "attributes" | "prices" | "dialects">,
): Promise<readonly AgentRun[]> {
  const found = new Map<string, AgentRun>();
  const { pipeline } = createEngine({
    ...settings,
    timeouts: defaultTraceTimeouts,
    quietMs: Infinity,
    seed: 1,
    onRun: (run) => found.set(run.runId, run),
  });
  for (const id of ids) {
    for (const part of (await archive.telemetry(id)) ?? []) {
      const batch = readTelemetry(part);
      if (batch !== undefined) pipeline.accept(batch, 0);
    }
  }
  pipeline.drain("eof", 0);
  return ids.flatMap((id) => found.get(id) ?? []);
}
