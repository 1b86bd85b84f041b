import { fixtureRedactor, type RedactChoice } from "../../../../replay/judging/redaction.ts";
import { cassetteBeside, writeRecording } from "../../../../replay/agent/models/write-recording.ts";
import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Config } from "../../../../config/config.ts";
import { createMatcher } from "../../../../match/matcher.ts";
import type { UserCheckRefusal } from "../../../../judge/user-checks/open-user-checks.ts";
import type { JudgedRun } from "../../../../pipeline/judge-run.ts";
import { counted, printable } from "../../../../report/render/terminal/printable.ts";
import { writeConfined } from "../../../../support/process/confined.ts";
import { recordedRuns } from "../../authoring/chosen-run.ts";
import { candidatesOf } from "../../authoring/proposal-candidates.ts";
import { Proposing } from "../../authoring/proposing.ts";
import { adminUrl, telemetryOf } from "../../authoring/served-telemetry.ts";
import { ExitCode, type Io, UserError, write } from "../../../../support/process/io.ts";
import { type ConfigFlags, loadSettings, loadSpecs } from "../../../../config/command-settings.ts";
import { isMap, parseDocument } from "yaml";

/** Keys of a spec that concern only its own queries. They are not copied into the file of proposed queries. */
const own = ["queries", "queries_from", "waivers", "description"];

export interface ProposeOptions extends ConfigFlags {
  readonly spec: string;
  /** File for the proposed queries. The default is `NAME.proposed.yaml` in the folder of the spec. */
  readonly into?: string;
  readonly to?: string;
  readonly most: number;
  readonly redact: RedactChoice;
  /** Whether to write a cassette (a recording of the model calls) for each run. */
  readonly cassette?: boolean;
  readonly dryRun?: boolean;
  readonly userCheckRefusal?: UserCheckRefusal | undefined;
  readonly format: "console" | "json";
}

/**
 * Makes tests from failed recorded runs, one for each query text. Writes redacted dumps, and a file of
 * queries with `expected_fail`. The spec is not changed. Returns exit code 2 if no test is proposed, or if
 * input is unreadable.
 */
export async function propose(dumps: readonly string[], options: ProposeOptions, io: Io): Promise<ExitCode> {
  const { config } = await loadSettings(options, io);
  const [spec] = await loadSpecs([options.spec], io, config);
  if (spec === undefined) throw new UserError(`no spec file matches ${options.spec}`);
  const file = options.into ?? join(dirname(spec.file), `${spec.name}.proposed.yaml`);
  if (existsSync(file) && options.dryRun !== true)
    throw new UserError(
      `${file} exists already`,
      "move the file's queries to the spec or remove the file, or name another file with --into",
    );
  const fetched = await telemetryOf(dumps, adminUrl(config), io.env["TRACEJURY_TOKEN"]);
  try {
    const { judged, tracesById, isUnreadable } = await recordedRuns(fetched.dumps, spec, config, io);
    const matcher = createMatcher([spec]);
    const isOwn = ({ run }: JudgedRun): boolean => {
      const found = matcher.match(run, spec);
      return found.kind !== "unmatched" || found.cause !== "other-agent";
    };
    const candidates = candidatesOf(judged.filter(isOwn));
    const redactor = fixtureRedactor(options.redact, config.redact);
    const proposing = new Proposing({
      spec,
      head: headOf(spec.file),
      file,
      tracesById,
      redactor,
      userCheckRefusal: options.userCheckRefusal,
      config,
      io,
    });
    for (const candidate of candidates) {
      if (proposing.proposals.length >= options.most) break;
      await proposing.add(candidate);
    }
    const folder = options.to ?? join(dirname(spec.file), "fixtures");
    const isWritten = options.dryRun !== true && proposing.proposals.length > 0;
    if (isWritten) writeAll(proposing, file, folder);
    const unpacked =
      isWritten && options.cassette === true ? packAll(proposing, folder, judged, options, config) : [];
    for (const problem of unpacked) await write(io.stderr, `${problem}\n`);
    await report(proposing, { file, folder, isWritten, asJson: options.format === "json" }, io);
    const isDone = proposing.proposals.length > 0 && unpacked.length === 0 && !isUnreadable;
    return isDone ? ExitCode.passed : ExitCode.undecided;
  } finally {
    fetched.remove();
  }
}

/** Returns the settings and defaults of the spec as YAML, because they also apply to the proposals. */
function headOf(file: string): string {
  const head = specHead(readFileSync(file, "utf8"));
  if (head !== null) return `# Proposed from recorded runs: review every query before you merge it.\n${head}`;
  throw new UserError(
    `the settings of ${file} cannot be copied into the proposed spec`,
    "move the YAML anchors that the settings use from `queries` to a place above `queries`",
  );
}

function writeAll({ proposals, text }: Proposing, file: string, folder: string): void {
  try {
    for (const { name, dump } of proposals) writeConfined(folder, `${name}.jsonl`, dump);
    writeConfined(dirname(file), basename(file), text, 0o666);
  } catch (error) {
    throw new UserError(`the proposals cannot be written: ${(error as Error).message}`);
  }
}

/** Writes a cassette next to each dump. Returns the reasons why runs cannot be played back. */
function packAll(
  { proposals }: Proposing,
  folder: string,
  judged: readonly JudgedRun[],
  { redact }: Pick<ProposeOptions, "redact">,
  config: Config,
): readonly string[] {
  return proposals.flatMap(({ name, runId }) => {
    const file = cassetteBeside(join(folder, `${name}.jsonl`));
    const run = judged.find((one) => one.run.runId === runId)?.run;
    const problem = run === undefined ? null : writeRecording(file, run, redact, config);
    return problem === null ? [] : [`${file}: not written: ${problem}`];
  });
}

interface Written {
  readonly file: string;
  readonly folder: string;
  readonly isWritten: boolean;
  readonly asJson: boolean;
}

async function report(
  { proposals, declined, text }: Proposing,
  { file, folder, isWritten, asJson }: Written,
  io: Io,
): Promise<void> {
  if (asJson) {
    const json = {
      format_version: 1,
      spec: isWritten ? file : null,
      proposals: proposals.map(
        ({ queryId, runId, reason, name, block, isExpectedToFail, isTodo, replaces, goodRunId }) => ({
          query_id: queryId,
          run_id: runId,
          reason,
          fixture: isWritten ? join(folder, `${name}.jsonl`) : null,
          block,
          expected_fail: isExpectedToFail,
          todo: isTodo,
          replaces,
          good_run_id: goodRunId,
        }),
      ),
      declined: declined.map(({ runId, reason, why }) => ({ run_id: runId, reason, why })),
    };
    await write(io.stdout, `${JSON.stringify(json)}\n`);
    return;
  }
  const lines = [
    ...proposals.map(
      ({ queryId, reason, isTodo, replaces }) =>
        `+ ${printable(queryId)}: ${reason}${isTodo ? ", with a `todo` to replace" : ""}${replaces === null ? "" : `, replaces query ${printable(replaces)}`}`,
    ),
    ...declined.map(
      ({ runId, reason, why }) => `- run ${runId.slice(0, 12)}… (${reason}): ${printable(why, 200)}`,
    ),
    ...(proposals.length === 0
      ? []
      : isWritten
        ? [
            "",
            `wrote ${counted(proposals.length, "query", "queries")} to ${file}, their runs to ${folder}`,
            `Try it: tracejury test ${folder} --spec ${file}`,
          ]
        : ["", `nothing written (--dry-run):\n\n${text}`]),
  ];
  await write(io.stdout, lines.map((line) => `${line}\n`).join(""));
  if (proposals.length === 0) await write(io.stderr, "no test is proposed\n");
}

/**
 * Returns the settings of a spec as YAML, which end with the line `queries:`. Omits queries, waivers, description and comments. Returns
 * null if the text is not a spec, or if its settings contain a YAML alias to a part of a query.
 */
function specHead(text: string): string | null {
  const document = parseDocument(text);
  if (document.errors.length > 0 || !isMap(document.contents)) return null;
  // Defaults can use the columns of a table of queries (`queries_from`). The table is not copied, so the defaults are not copied either.
  const isTable = document.has("queries_from");
  for (const key of isTable ? [...own, "defaults"] : own) document.delete(key);
  document.commentBefore = null;
  document.comment = null;
  try {
    return `${document.toString({ lineWidth: 0 })}queries:\n`;
  } catch {
    // The settings contain an alias to an anchor that was in a removed part.
    return null;
  }
}
