import { themeOf } from "../../../../replay/reports/print-report.ts";
import { fixtureRedactor, type RedactChoice } from "../../../../replay/judging/redaction.ts";
import { cassetteBeside, writeRecording } from "../../../../replay/agent/models/write-recording.ts";
import { readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { GivenExpectations } from "../../../../authoring/query-text/promoted-query.ts";
import type { Config } from "../../../../config/config.ts";
import type { JudgeMode } from "../../../../judge/settings.ts";
import { plainRun } from "../../../../model/plain-run.ts";
import type { AgentRun } from "../../../../model/run.ts";
import type { Verdict } from "../../../../model/verdict.ts";
import { writeConfined } from "../../../../support/process/confined.ts";
import { verdictText } from "../../../../report/render/terminal/console.ts";
import { verdictJson } from "../../../../report/json/verdict-json.ts";
import type { CompiledSpec } from "../../../../evaluate/query/compiled.ts";
import { asRecorded } from "../../authoring/as-recorded.ts";
import { chooseRun, goodRun, recordedRuns } from "../../authoring/chosen-run.ts";
import { fixtureStem, redactedRun, fixtureText, temporaryDump } from "../../authoring/fixture.ts";
import { type Draft, type DraftExtras, draftPromotion } from "../../authoring/promotion.ts";
import { failingTest, type Trial } from "../../authoring/promotion-trial.ts";
import { adminUrl, telemetryOf } from "../../authoring/served-telemetry.ts";
import { ExitCode, type Io, UserError, write } from "../../../../support/process/io.ts";
import { type ConfigFlags, loadSettings, loadSpecs } from "../../../../config/command-settings.ts";
import { flip } from "./promote-flip.ts";

export interface PromoteOptions extends ConfigFlags, GivenExpectations {
  readonly spec: string;
  /**
   * Id of the run or trace. By default, the run is chosen in this order: the first failed run, the first with an error, the first with a
   * warning, the first that matches no query, the only run.
   */
  readonly run?: string;
  /** Id of a correct run, or path of a dump that contains one. */
  readonly like?: string;
  readonly to?: string;
  readonly redact: RedactChoice;
  /** Whether to write a cassette (a recording of the run's model calls). */
  readonly cassette?: boolean;
  readonly judge?: JudgeMode;
  readonly expectedFail?: boolean;
  /** Whether to remove `expected_fail` from queries whose runs pass, instead of promoting a run. */
  readonly flip?: boolean;
  readonly dryRun?: boolean;
  readonly format: "console" | "json";
}

interface Promoted {
  readonly draft: Draft;
  readonly extras: DraftExtras;
  readonly verdict: Verdict;
  readonly fixture: string;
  /** Path of the cassette. Null if no cassette was requested, or if the run cannot be played back. */
  readonly cassette: string | null;
  readonly isSpecChanged: boolean;
}

/**
 * Makes a test from a failed run: redacted telemetry in the spec's folder, and a query that the run fails. If
 * the spec has a query with the same text, this query is extended. The input is a dump, or the id of a trace
 * or run that a running `serve` has stored.
 * The test is judged before any file is written. Unless the run fails the test, nothing is written, and the
 * exit code is 2.
 */
export async function promote(what: readonly string[], options: PromoteOptions, io: Io): Promise<ExitCode> {
  const { config } = await loadSettings(options, io);
  const [spec] = await loadSpecs([options.spec], io, config);
  if (spec === undefined) throw new UserError(`no spec file matches ${options.spec}`);
  if (options.flip === true) return flip(what, spec, config, options, io);
  if (what.length === 0)
    throw new UserError("promote needs a run", "give a dump, or the id of a run or trace");
  const fetched = await telemetryOf(what, adminUrl(config), io.env["TRACEJURY_TOKEN"]);
  try {
    const recorded = await recordedRuns(fetched.dumps, spec, config, io);
    const chosen = await chooseRun(recorded.judged, options.run ?? fetched.id, io);
    const redactor = fixtureRedactor(options.redact, config.redact);
    const like =
      options.like === undefined
        ? undefined
        : redactedRun(await goodRun(options.like, chosen.run, recorded, spec, config, io), redactor);
    const traces = chosen.run.traceIds.flatMap((id) => recorded.tracesById.get(id) ?? []);
    const text = fixtureText(traces, redactor);
    const dump = temporaryDump(text);
    try {
      const judged = await asRecorded(dump.file, chosen, spec, config, io);
      const specText = readFileSync(spec.file, "utf8");
      const draft = draftPromotion({ spec, specText, judged, like, given: options });
      const trial: Trial = {
        dump: dump.file,
        runId: chosen.run.runId,
        spec,
        like,
        config,
        mode: options.judge,
        io,
      };
      const { verdict, extras } = await failingTest(draft, trial);
      const final = { ...extras, isExpectedToFail: options.expectedFail === true && !extras.isTodo };
      const folder = options.to ?? join(dirname(spec.file), "fixtures");
      const fixture = join(folder, `${fixtureStem(draft, chosen.run.traceId)}.jsonl`);
      const changed = draft.specText(final);
      if (options.dryRun !== true) {
        place(fixture, () => writeConfined(folder, basename(fixture), text));
        if (changed !== specText) place(spec.file, () => writeFileSync(spec.file, changed));
      }
      const isSpecChanged = changed !== specText;
      const isPacked = options.cassette === true && options.dryRun !== true;
      const cassette = isPacked ? await pack(fixture, chosen.run, options, config, io) : null;
      const shown = readFrom(verdict, dump.file, options.dryRun === true ? chosen.run : fixture);
      await report(
        { draft, extras: final, verdict: shown, fixture, cassette, isSpecChanged },
        spec,
        options,
        io,
      );
      const isDone = (!isPacked || cassette !== null) && !recorded.isUnreadable;
      return isDone ? ExitCode.passed : ExitCode.undecided;
    } finally {
      dump.remove();
    }
  } finally {
    fetched.remove();
  }
}

/** Returns the verdict. As the file of its run, it names the final file instead of the temporary one. */
function readFrom(verdict: Verdict, temporary: string, kept: string | AgentRun): Verdict {
  const { run } = verdict;
  const placed =
    typeof kept === "string"
      ? {
          source: run.source && { ...run.source, file: kept },
          sources: run.sources?.map((file) => (file === temporary ? kept : file)),
        }
      : { source: kept.source, sources: kept.sources };
  return { ...verdict, run: { ...plainRun(run), ...placed } };
}

/**
 * Writes the cassette of the run and returns its path. If the run cannot be played back, prints the reason on
 * stderr and returns null.
 */
async function pack(
  fixture: string,
  run: AgentRun,
  { redact }: Pick<PromoteOptions, "redact">,
  config: Config,
  io: Io,
): Promise<string | null> {
  const file = cassetteBeside(fixture);
  const problem = writeRecording(file, run, redact, config);
  if (problem === null) return file;
  await write(io.stderr, `${file}: not written: ${problem}\n`);
  return null;
}

function place(file: string, write: () => void): void {
  try {
    write();
  } catch (error) {
    throw new UserError(`${file} cannot be written: ${(error as Error).message}`);
  }
}

async function report(
  { draft, extras, verdict, fixture, cassette, isSpecChanged }: Promoted,
  spec: CompiledSpec,
  { format, dryRun }: PromoteOptions,
  io: Io,
): Promise<void> {
  const isDry = dryRun === true;
  const block = draft.block(extras);
  if (format === "json") {
    const json = {
      format_version: 1,
      run_id: verdict.run.runId,
      query_id: draft.id,
      fixture: isDry ? null : fixture,
      cassette,
      spec: spec.file,
      appended: !isDry && !draft.isCovered,
      changed: !isDry && isSpecChanged,
      block,
      todo: extras.isTodo,
      expected_fail: extras.isExpectedToFail,
      verdict: verdictJson(verdict),
    };
    await write(io.stdout, `${JSON.stringify(json)}\n`);
    return;
  }
  const did = draft.isCovered
    ? isSpecChanged
      ? `changed query ${draft.id} in ${spec.file}`
      : `${spec.file} already has a query for the run: ${draft.id}`
    : `added query ${draft.id} to ${spec.file}`;
  const would =
    block !== null
      ? `, and to ${spec.file}:\n\n${block}`
      : isSpecChanged
        ? `, and change query ${draft.id} in ${spec.file}`
        : `; ${did}`;
  const lines = isDry
    ? [`nothing written (--dry-run); promote would write ${fixture}${would}`]
    : [`wrote ${fixture}${cassette === null ? "" : ` and ${cassette}`}`, did];
  const next = extras.isTodo
    ? `Replace the query's \`todo\` with what the agent must do, then: `
    : "Try it: ";
  await write(io.stdout, `${lines.join("\n")}\n\n${verdictText(verdictJson(verdict), themeOf(io))}`);
  if (!isDry)
    await write(io.stdout, `\n${next}tracejury test ${fixture} --spec ${spec.file} --query ${draft.id}\n`);
}
