import { writeFileSync } from "node:fs";
import type { Relaxation } from "../../render/exit-code.ts";
import { consoleReport } from "../../render/console.ts";
import { reportUnjudged, reportVerdict } from "../../render/reported.ts";
import { type Findings, testResult, type TestResult } from "../../render/result.ts";
import { resultJson } from "../../render/result-json.ts";
import { colourTheme, plainTheme, type Theme } from "../../render/theme.ts";
import { missingQueries, selectQueries } from "../../match/selection.ts";
import type { AgentRun } from "../../model/run.ts";
import { createJudgeRun } from "../../pipeline/judge-run.ts";
import type { CompiledQuery } from "../../spec/compiled.ts";
import { version } from "../../version.ts";
import { replay } from "../engine/replay.ts";
import { type ExitCode, UserError } from "../exit-code.ts";
import { type Io, wantsColour, write } from "../io.ts";
import { type ConfigFlags, loadSettings, loadSpecs } from "../settings.ts";

export interface TestOptions extends ConfigFlags {
  readonly spec: readonly string[];
  readonly query: readonly string[];
  readonly tags?: readonly string[];
  readonly judge: "auto" | "off" | "required";
  readonly format: Format;
  readonly output: readonly string[];
  readonly onIncomplete: Relaxation;
  readonly onMissing: Relaxation;
  readonly failOn?: "warn";
  readonly skipInvalid?: boolean;
}

type Format = "console" | "json";

/** Replays dumps against specs, reports, and says in the exit code what came of it. */
export async function test(dumps: readonly string[], options: TestOptions, io: Io): Promise<ExitCode> {
  const { config } = await loadSettings(options, io);
  const specs = await loadSpecs(options.spec, io);
  const outputs = options.output.map(parseOutput);
  const selected = selectQueries(specs, { queries: options.query, tags: options.tags ?? [] });
  const judge = createJudgeRun({
    specs,
    selected: new Set(selected.map(({ query }) => query)),
    unasked: { judge: options.judge === "off" ? "off" : "incomplete" },
    engine: version,
  });
  const found = {
    verdicts: [],
    unmatched: [],
    ambiguous: [],
    runs: 0,
    matched: new Set<CompiledQuery>(),
  } as Found;
  const onRun = (run: AgentRun): void => {
    const judged = judge(run);
    found.runs++;
    found.verdicts.push(...judged.verdicts.map(reportVerdict));
    found.unmatched.push(...judged.unmatched.map(reportUnjudged));
    found.ambiguous.push(...judged.ambiguous.map(reportUnjudged));
    for (const query of judged.matched) found.matched.add(query);
  };
  const { invalid } = await replay(dumps, { config, stdin: io.stdin, onRun });
  const missing = missingQueries(selected, found.matched);
  const result = testResult(
    {
      ...found,
      version,
      specs: specs.map(({ file, hash, agent }) => ({ file, hash, agent })),
      queries: selected.length,
      missing: missing.map(({ spec, query }) => ({ queryId: query.id, query: query.text, spec: spec.name })),
      invalidInput: invalid,
    },
    {
      onIncomplete: options.onIncomplete,
      onMissing: options.onMissing,
      failOnWarn: options.failOn === "warn",
      skipInvalid: options.skipInvalid === true,
    },
  );
  await write(
    io.stdout,
    report(result, options.format, wantsColour(io.stdout, io.env) ? colourTheme : plainTheme),
  );
  for (const { format, path } of outputs) writeFileSync(path, report(result, format, plainTheme));
  return result.exit.code;
}

type Found = { -readonly [Key in "runs"]: Findings[Key] } & {
  readonly verdicts: Findings["verdicts"][number][];
  readonly unmatched: Findings["unmatched"][number][];
  readonly ambiguous: Findings["ambiguous"][number][];
  readonly matched: Set<CompiledQuery>;
};

function report(result: TestResult, format: Format, theme: Theme): string {
  return format === "json" ? `${JSON.stringify(resultJson(result))}\n` : consoleReport(result, theme);
}

function parseOutput(text: string): { format: Format; path: string } {
  const [, format, path] = /^(console|json)=(.+)$/s.exec(text) ?? [];
  if (format === undefined || path === undefined) {
    throw new UserError(
      `--output ${text} is not understood`,
      "write --output FORMAT=PATH, as in --output json=result.json",
    );
  }
  return { format: format as Format, path };
}
