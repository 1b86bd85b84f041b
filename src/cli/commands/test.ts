import type { Relaxation } from "../../render/exit-code.ts";
import type { Format } from "../../render/format-names.ts";
import { reportUnjudged, reportVerdict } from "../../render/reported.ts";
import { type Findings, testResult } from "../../render/result.ts";
import { missingQueries, selectQueries } from "../../match/selection.ts";
import { attributesNeeded } from "../../match/where.ts";
import type { JudgeMode } from "../../judge/settings.ts";
import { createAskingJudge, type JudgedRun } from "../../pipeline/judge-run.ts";
import type { CompiledQuery } from "../../spec/compiled.ts";
import { version } from "../../version.ts";
import { openJudging } from "../engine/judging.ts";
import { conversationIdle } from "../engine/conversation-idle.ts";
import { replayJudged } from "../engine/replay-judged.ts";
import { parseOutputs, writeReports } from "../engine/write-reports.ts";
import type { ExitCode } from "../exit-code.ts";
import { type Io, write } from "../io.ts";
import { type ConfigFlags, loadSettings, loadSpecs } from "../settings.ts";

export interface TestOptions extends ConfigFlags {
  readonly spec: readonly string[];
  readonly query: readonly string[];
  readonly tags?: readonly string[];
  readonly judge?: JudgeMode;
  readonly sampleEnsemble?: number;
  readonly format: Format;
  readonly output: readonly string[];
  readonly onIncomplete: Relaxation;
  readonly onMissing: Relaxation;
  readonly failOn?: "warn";
  readonly skipInvalid?: boolean;
}

/** Replays dumps against specs, reports, and says in the exit code what came of it. */
export async function test(dumps: readonly string[], options: TestOptions, io: Io): Promise<ExitCode> {
  const { config } = await loadSettings(options, io);
  const specs = await loadSpecs(options.spec, io);
  const outputs = parseOutputs(options.output);
  const selected = selectQueries(specs, { queries: options.query, tags: options.tags ?? [] });
  const selectedQueries = new Set(selected.map(({ query }) => query));
  const judging = await openJudging({
    config,
    mode: options.judge,
    specs,
    selected: selectedQueries,
    sampleEnsemble: options.sampleEnsemble ?? null,
    env: io.env,
  });
  const found = {
    verdicts: [],
    unmatched: [],
    ambiguous: [],
    runs: 0,
    matched: new Set<CompiledQuery>(),
  } as Found;
  const onJudged = (judged: JudgedRun): void => {
    if (judged.run.turns === undefined) found.runs++;
    found.verdicts.push(...judged.verdicts.map(reportVerdict));
    found.unmatched.push(...judged.unmatched.map(reportUnjudged));
    found.ambiguous.push(...judged.ambiguous.map(reportUnjudged));
    for (const query of judged.matched) found.matched.add(query);
  };
  const { asking, unasked } = judging;
  const judge = createAskingJudge({ specs, selected: selectedQueries, unasked, engine: version }, asking);
  const attributes = [...config.attributes, ...attributesNeeded(specs)];
  const kept = { ...config, attributes };
  const { invalid } = await replayJudged(dumps, {
    config: kept,
    stdin: io.stdin,
    conversationIdleMs: conversationIdle(specs, config),
    judge,
    onJudged,
  });
  await judging.close();
  for (const warning of judging.warnings()) await write(io.stderr, `warning: ${warning}\n`);
  const missing = missingQueries(selected, found.matched);
  const result = testResult(
    {
      ...found,
      version,
      specs: specs.map(({ file, hash, agent }) => ({ file, hash, agent })),
      queries: selected.length,
      missing: missing.map(({ spec, query }) => ({
        queryId: query.id,
        query: query.text,
        spec: spec.name,
        source: query.source,
      })),
      invalidInput: invalid,
      gated: selected.flatMap(({ spec, query: { id, reliability } }) =>
        reliability === undefined ? [] : [{ spec: spec.name, queryId: id, reliability }],
      ),
    },
    {
      onIncomplete: options.onIncomplete,
      onMissing: options.onMissing,
      failOnWarn: options.failOn === "warn",
      skipInvalid: options.skipInvalid === true,
    },
  );
  await writeReports(result, options.format, outputs, io);
  return result.exit.code;
}

type Found = { -readonly [Key in "runs"]: Findings[Key] } & {
  readonly verdicts: Findings["verdicts"][number][];
  readonly unmatched: Findings["unmatched"][number][];
  readonly ambiguous: Findings["ambiguous"][number][];
  readonly matched: Set<CompiledQuery>;
};
