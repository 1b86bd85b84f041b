import type { Relaxation } from "../../render/exit-code.ts";
import type { Format } from "../../render/format-names.ts";
import { testResult } from "../../render/result.ts";
import { missingQueries, selectQueries } from "../../match/selection.ts";
import type { JudgeMode } from "../../judge/settings.ts";
import { version } from "../../version.ts";
import { openReferences } from "../baseline/references.ts";
import { Found } from "../engine/found.ts";
import { judgeDumps } from "../engine/judge-dumps.ts";
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
  readonly failOn?: "warn" | "regression";
  readonly baseline?: string;
  readonly baselineDir?: string;
  readonly skipInvalid?: boolean;
}

/** Replays dumps against specs, reports, and says in the exit code what came of it. */
export async function test(dumps: readonly string[], options: TestOptions, io: Io): Promise<ExitCode> {
  const { config } = await loadSettings(options, io);
  const specs = await loadSpecs(options.spec, io);
  const outputs = parseOutputs(options.output);
  const selected = selectQueries(specs, { queries: options.query, tags: options.tags ?? [] });
  const references = openReferences(specs, {
    version: options.baseline ?? config.baseline ?? undefined,
    dir: options.baselineDir ?? config.baselineDir ?? undefined,
  });
  for (const problem of references.problems) await write(io.stderr, `warning: ${problem}\n`);
  const found = new Found(references, specs);
  const { invalid } = await judgeDumps({
    dumps,
    config,
    specs,
    mode: options.judge,
    selected: new Set(selected.map(({ query }) => query)),
    sampleEnsemble: options.sampleEnsemble,
    reference: references.reference,
    onJudged: (judged) => found.add(judged),
    io,
  });
  const missing = missingQueries(selected, found.matched);
  const result = testResult(
    {
      ...found.findings(),
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
      failOnRegression: options.failOn === "regression",
      skipInvalid: options.skipInvalid === true,
    },
  );
  await writeReports(result, options.format, outputs, io);
  return result.exit.code;
}
