import { readFileSync } from "node:fs";
import type { RouteOptions } from "../interfaces/api/routes.ts";
import type { Archive } from "../store/archive.ts";
import type { CompiledQuery, CompiledSpec } from "../evaluate/query/compiled.ts";
import { version } from "../support/process/version.ts";
import { adaptersWith, createEngine, type Engine, type EngineOptions } from "../replay/engine.ts";
import type { SpansWithoutAgent } from "../pipeline/lifecycle/trace-beginning.ts";
import type { CollectorOptions } from "./settings/options.ts";
import { Doctor } from "../authoring/doctor/diagnosis.ts";
import { Survey } from "../authoring/doctor/survey.ts";
import { doctorJson } from "../report/render/json/doctor-json.ts";
import { createMatcher } from "../match/matcher.ts";
import type { Trace } from "../assemble/trace.ts";
import type { AgentRun } from "../model/run.ts";
import type { DialectTable } from "../runs/facts/dialect-table.ts";
import { specFileName } from "../authoring/query-text/spec-file-name.ts";
import { proposeSpec } from "../authoring/agreement/proposed-spec.ts";
import { questionsOf } from "../authoring/questions.ts";
import type { ProposedSpecs } from "../interfaces/api/endpoints/system.ts";
import { defaultTraceTimeouts } from "../assemble/timeouts/trace-timeouts.ts";
import { DEMO_ATTRIBUTE } from "../model/demo-attribute.ts";
import { readTelemetry } from "../store/read/read-telemetry.ts";

/**
 * Maximum number of stored runs from which the contents of the telemetry are determined. The number is large enough to include each
 * instrumentation, and small enough to read the runs at once.
 */
const MOST_RUNS = 100;

/** Maximum number of failed runs that are read from the store. */
const MOST_FAILED = 100;

/** Returns what the page shows about the process: specs, configuration, and the contents of the telemetry. */
export function systemOf(
  specs: () => readonly CompiledSpec[],
  shownConfig: CollectorOptions["shownConfig"],
  archive: Archive | null,
  engine: Pick<Engine, "dialects">,
): NonNullable<RouteOptions["system"]> {
  return {
    specs: () =>
      specs().map(({ name, file, hash, agent, queries }) => {
        const texts = queryTexts(queries);
        return {
          name,
          file,
          hash,
          agent,
          queries: queries.map(({ id, text, source, row }, at) => ({
            id,
            query: text,
            line: source.line,
            yaml: texts[at] ?? null,
            ...(row === undefined ? {} : { row: { file: row.file, line: row.line } }),
          })),
        };
      }),
    config: shownConfig,
    proposedSpecs: archive === null ? undefined : () => proposedSpecs(archive, engine.dialects),
    doctor: archive === null ? undefined : () => doctorOfStore(archive, specs(), engine.dialects),
  };
}

/** Returns the body of `/api/v1/status`, without its fields about readiness. */
export function statusOf(
  engine: Engine,
  specs: readonly CompiledSpec[],
  withoutAgent: readonly SpansWithoutAgent[],
): object {
  return {
    version,
    open_traces: engine.assembler.openTraces,
    open_bytes: engine.assembler.openBytes,
    spans: engine.assembler.counts,
    spans_without_agent: withoutAgent,
    specs: specs.map(({ name, file, hash, agent, queries }) => ({
      name,
      file,
      hash,
      agent,
      queries: queries.length,
    })),
  };
}

/**
 * Returns the YAML block of each query from its spec file, without indentation. It is null if the spec file cannot be read, or if the query
 * is a row of a table.
 */
export function queryTexts(queries: readonly CompiledQuery[]): readonly (string | null)[] {
  const files = new Map<string, readonly string[] | null>();
  return queries.map(({ source: { file, line, column } }) => {
    if (!files.has(file)) files.set(file, /\.ya?ml$/.test(file) ? linesOf(file) : null);
    const lines = files.get(file) ?? null;
    return lines === null ? null : blockAt(lines, line, column);
  });
}

function linesOf(file: string): readonly string[] | null {
  try {
    return readFileSync(file, "utf8").split(/\r?\n/);
  } catch {
    return null;
  }
}

/**
 * @param line line of the block's first character, from 1
 * @param column column of the block's first character, from 1
 */
function blockAt(lines: readonly string[], line: number, column: number): string {
  const indent = column - 1;
  const first = lines[line - 1]?.slice(indent) ?? "";
  const rest = lines.slice(line);
  const end = rest.findIndex((text) => text.trim() !== "" && text.search(/\S/) < indent);
  const block = [first, ...rest.slice(0, end === -1 ? rest.length : end).map((text) => text.slice(indent))];
  return block.join("\n").trimEnd();
}

/**
 * Runs `tracejury doctor` on the telemetry of the newest stored runs, with the specs for their agents. Ignores the example runs of `npm
 * start` if there are other runs.
 */
async function doctorOfStore(
  archive: Archive,
  specs: readonly CompiledSpec[],
  dialects: readonly DialectTable[],
): Promise<object> {
  const traces: Trace[] = [];
  const runs: AgentRun[] = [];
  await replayNewestRuns(archive, {
    dialects,
    onTrace: (trace) => traces.push(trace),
    onRun: (run) => runs.push(run),
  });
  const own = withoutExamples(runs);
  const examples = new Set(runs.filter((run) => !own.includes(run)).flatMap((run) => run.traceIds));
  const survey = new Survey(adaptersWith(dialects));
  for (const trace of traces) if (!examples.has(trace.traceId)) survey.add(trace);
  const doctor = new Doctor(survey);
  for (const run of own) doctor.add(run);
  const matcher = createMatcher(specs);
  const isAbout = (spec: CompiledSpec, run: AgentRun): boolean => {
    const found = matcher.match(run, spec);
    return found.kind !== "unmatched" || found.cause !== "other-agent";
  };
  return doctorJson(doctor.diagnose(specs.filter((spec) => own.some((run) => isAbout(spec, run)))));
}

/** Returns the specs that `tracejury init --from` would write, one for each agent, from the newest stored runs that did not fail. */
async function proposedSpecs(archive: Archive, dialects: readonly DialectTable[]): Promise<ProposedSpecs> {
  const runs: AgentRun[] = [];
  await replayNewestRuns(archive, { dialects, onRun: (run) => runs.push(run) });
  const failed = new Set(
    (await archive.runs({ outcome: "fail" }, MOST_FAILED, null))?.items.map(({ run_id }) => run_id),
  );
  const usable = runs.filter(({ runId }) => !failed.has(runId));
  const chosen = withoutExamples(usable);
  const { agents, unknown, wildcards } = questionsOf(chosen);
  return {
    runs: chosen.length,
    left_out: unknown + wildcards,
    failed: runs.length - usable.length,
    specs: agents.map((one) => ({ agent: one.agent, file: specFileName(one.agent), yaml: proposeSpec(one) })),
  };
}

/** Creates the newest runs again from their stored telemetry. */
async function replayNewestRuns(
  archive: Archive,
  options: Pick<EngineOptions, "dialects" | "onTrace" | "onRun">,
): Promise<void> {
  const { pipeline } = createEngine({
    timeouts: defaultTraceTimeouts,
    quietMs: Infinity,
    attributes: [],
    prices: {},
    seed: 1,
    ...options,
  });
  const page = await archive.runs({}, MOST_RUNS, null);
  for (const { run_id: runId } of page?.items ?? []) {
    for (const part of (await archive.telemetry(runId)) ?? []) {
      const batch = readTelemetry(part);
      if (batch !== undefined) pipeline.accept(batch, 0);
    }
  }
  pipeline.drain("eof", 0);
}

/** Returns the runs without the example runs of `npm start`; all runs if there are only examples. */
function withoutExamples(runs: readonly AgentRun[]): readonly AgentRun[] {
  const own = runs.filter(({ attributes }) => !attributes.has(DEMO_ATTRIBUTE));
  return own.length === 0 ? runs : own;
}
