import { printReport } from "../../../../replay/reports/print-report.ts";
import { readFileSync, writeFileSync } from "node:fs";
import { type CalibratedQuery, calibrate as calibrated } from "../../../../authoring/calibrate.ts";
import { editQuery, writtenIndex } from "../../../../authoring/query-text/edit-query.ts";
import type { Verdict } from "../../../../model/verdict.ts";
import type { JudgedRun } from "../../../../pipeline/judge-run.ts";
import { calibrateConsole, calibrateJson } from "../../../../report/render/commands/calibrate.ts";
import type { CompiledQuery, CompiledSpec } from "../../../../evaluate/query/compiled.ts";
import type { AgentRun } from "../../../../model/run.ts";
import { judgeDumps } from "../../../../replay/judging/preparing.ts";
import { ExitCode, type Io, UserError, write } from "../../../../support/process/io.ts";
import {
  type ConfigFlags,
  loadSettings,
  loadJudgingSpecs,
  readSpec,
} from "../../../../config/command-settings.ts";
import { writeInvalid } from "../../../../replay/replay.ts";

export interface CalibrateOptions extends ConfigFlags {
  readonly spec: readonly string[];
  readonly write?: boolean;
  readonly format: "console" | "json";
}

/**
 * Compares the limits of a spec with recorded runs, and proposes new limits. Returns exit code 2 if no run
 * matches a query, or if input is unreadable.
 */
export async function calibrate(
  dumps: readonly string[],
  options: CalibrateOptions,
  io: Io,
): Promise<ExitCode> {
  const { config } = await loadSettings(options, io);
  const specs = await loadJudgingSpecs(options.spec, io, config);
  const good = new Map<CompiledQuery, AgentRun[]>();
  const bad = new Map<CompiledQuery, AgentRun[]>();
  const onJudged = ({ run, matched, verdicts }: JudgedRun): void => {
    for (const [at, query] of matched.entries()) {
      const into = failsHard(verdicts[at]) ? bad : good;
      into.set(query, [...(into.get(query) ?? []), run]);
    }
  };
  const { invalid } = await judgeDumps({ dumps, config, specs, mode: "off", onJudged, io });
  await writeInvalid(io, invalid, "warning: ");
  const found = specs.flatMap((spec) =>
    spec.queries.flatMap((query) => {
      // The limits of a query are compared with its failed runs only if it has no other runs.
      const own = good.get(query) ?? bad.get(query);
      return own === undefined ? [] : [{ spec, query, result: calibrated(spec, query, own) }];
    }),
  );
  const results = found.map(({ result }) => result);
  await printReport(io, options.format, {
    json: () => calibrateJson(results),
    console: (theme) => calibrateConsole(results, theme),
  });
  let isWritten = true;
  if (options.write === true)
    for (const spec of specs) if (!(await rewrite(spec, found, io))) isWritten = false;
  return results.length === 0 || invalid.length > 0 || !isWritten ? ExitCode.undecided : ExitCode.passed;
}

/** Whether a run failed in correctness or called a forbidden tool, even if the spec expects the failure (`expected_fail`). */
function failsHard(verdict: Verdict | undefined): boolean {
  if (verdict?.expectedFail === true) return verdict.outcome === "warn";
  return verdict?.hardFail === true;
}

/** Writes the proposed limits. Returns whether all were written; names each query that the file does not contain, for example a row. */
async function rewrite(
  spec: CompiledSpec,
  found: readonly {
    readonly spec: CompiledSpec;
    readonly query: CompiledQuery;
    readonly result: CalibratedQuery;
  }[],
  io: Io,
): Promise<boolean> {
  const before = readFileSync(spec.file, "utf8");
  let text = before;
  let changed = 0;
  let isWhole = true;
  for (const { query, result } of found.filter((one) => one.spec === spec)) {
    const limits = result.limits.flatMap(({ key, proposed, fit }) =>
      proposed === null || fit === "fits" || fit === "unknown"
        ? []
        : [{ path: [key === "max_tool_calls" ? "path" : "cost", key], value: proposed }],
    );
    if (limits.length === 0) continue;
    const at = writtenIndex(text, spec.queries, query);
    const next = at === null ? null : editQuery(text, at, limits);
    if (next === null) {
      isWhole = false;
      const keys = limits.map(({ path: [, key], value }) => `${key}: ${value}`).join(", ");
      await write(
        io.stderr,
        `${spec.file}: query ${query.id} is in another file or a table, or is not a YAML map: write its limits by hand: ${keys}\n`,
      );
      continue;
    }
    text = next;
    changed += limits.length;
  }
  if (changed === 0) return isWhole;
  writeFileSync(spec.file, text);
  if (!readSpec(spec.file).ok) {
    writeFileSync(spec.file, before);
    throw new UserError(
      `${spec.file} would not be valid with these limits and is unchanged: write the limits by hand`,
    );
  }
  await write(io.stderr, `${spec.file}: ${changed} ${changed === 1 ? "limit" : "limits"} written\n`);
  return isWhole;
}
