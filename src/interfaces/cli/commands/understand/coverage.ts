import { printReport } from "../../../../replay/reports/print-report.ts";
import { MisspeltTools } from "../../../../authoring/doctor/misspelt-tools.ts";
import { UnmatchedTraffic } from "../../../../match/coverage.ts";
import { createJudgeRun } from "../../../../pipeline/judge-run.ts";
import { coverageConsole, coverageJson } from "../../../../report/render/commands/coverage-report.ts";
import type { CompiledQuery } from "../../../../evaluate/query/compiled.ts";
import { version } from "../../../../support/process/version.ts";
import { conversationIdle } from "../../../../replay/judging/conversation-idle.ts";
import { replay, replayIo, writeInvalid, configFor } from "../../../../replay/replay.ts";
import { ExitCode, type Io, write } from "../../../../support/process/io.ts";
import { type ConfigFlags, loadSettings, loadJudgingSpecs } from "../../../../config/command-settings.ts";

export interface CoverageOptions extends ConfigFlags {
  readonly spec: readonly string[];
  readonly format: "console" | "json";
}

/**
 * Lists the queries without runs, and the query texts of runs that match no query. Returns exit code 2 if
 * there are no runs, or if input is unreadable.
 */
export async function coverage(
  dumps: readonly string[],
  options: CoverageOptions,
  io: Io,
): Promise<ExitCode> {
  const { config } = await loadSettings(options, io);
  const specs = await loadJudgingSpecs(options.spec, io, config);
  const judge = createJudgeRun({ specs, judgeSkipPolicy: { judge: "off" }, engine: version });
  const traffic = new UnmatchedTraffic();
  const ofSpecs = new UnmatchedTraffic();
  const ofOthers = new UnmatchedTraffic();
  const misspelt = new MisspeltTools();
  const matched = new Map<CompiledQuery, number>();
  const ambiguous = new Set<string>();
  const unmatched = new Set<string>();
  let runs = 0;
  const { invalid } = await replay(dumps, {
    config: configFor(config, specs),
    ...replayIo(io),
    conversationIdleMs: conversationIdle(specs, config),
    onRun: (run) => {
      if (run.turns === undefined) runs++;
      const judged = judge(run);
      misspelt.add(run, judged.matched);
      for (const query of judged.matched) matched.set(query, (matched.get(query) ?? 0) + 1);
      if (judged.verdicts.length === 0 && judged.ambiguous.length > 0) ambiguous.add(run.runId);
      for (const one of judged.unmatched) {
        unmatched.add(one.run.runId);
        traffic.add(one.run);
        (one.isOfOtherAgent === true ? ofOthers : ofSpecs).add(one.run);
      }
    },
  });
  const found = {
    runs,
    unmatched: unmatched.size,
    ambiguous: ambiguous.size,
    queries: specs.flatMap((spec) =>
      spec.queries.map((query) => ({
        spec: spec.name,
        queryId: query.id,
        query: query.text,
        runs: matched.get(query) ?? 0,
      })),
    ),
    clusters: traffic.clusters(),
    clustersOfSpecs: ofSpecs.clusters(),
    clustersOfOthers: ofOthers.clusters(),
    withoutText: traffic.withoutText,
  };
  await printReport(io, options.format, {
    json: () => coverageJson(found),
    console: (theme) => coverageConsole(found, theme),
  });
  for (const line of misspelt.warnings()) await write(io.stderr, `warning: ${line}\n`);
  await writeInvalid(io, invalid, "warning: ");
  return runs === 0 || invalid.length > 0 ? ExitCode.undecided : ExitCode.passed;
}
