import { join } from "node:path";
import { type ConfigFlags, loadSettings, loadJudgingSpecs } from "../../../../config/command-settings.ts";
import { createMatcher } from "../../../../match/matcher.ts";
import type { AgentRun } from "../../../../model/run.ts";
import { CASSETTE_ENDING } from "../../../../model-server/cassettes/cassette.ts";
import { createMask } from "../../../../model-server/replay/mask.ts";
import { requestReducer } from "../../../../model-server/replay/reduce-request.ts";
import { StandaloneResponder } from "../../../../model-server/replay/standalone-responder.ts";
import { freshId } from "../../../../model-server/server/fresh-values.ts";
import { startModelServer } from "../../../../model-server/server/model-server.ts";
import { modelsIn } from "../../../../replay/agent/models/playback-server.ts";
import { loadRecordings, sayUnplayable } from "../../../../replay/agent/models/recordings.ts";
import { writeRecording } from "../../../../replay/agent/models/write-recording.ts";
import type { RedactChoice } from "../../../../replay/judging/redaction.ts";
import { replayIo, writeInvalid, configFor, runsIn } from "../../../../replay/replay.ts";
import { counted } from "../../../../report/render/terminal/printable.ts";
import { ExitCode, type Io, UserError, write } from "../../../../support/process/io.ts";
import { namingText } from "../../authoring/fixture.ts";

export interface PackOptions extends ConfigFlags {
  readonly spec: readonly string[];
  readonly out: string;
  readonly redact: RedactChoice;
}

/**
 * Writes a cassette (a recording of model calls) for each run that matches a query of the specs. If a query of the specs is a conversation,
 * every run with a question gets a cassette, because the run may be a turn of it. Returns exit code 2 if a cassette cannot be written or a
 * part of a dump is invalid.
 */
export async function packModels(dumps: readonly string[], options: PackOptions, io: Io): Promise<ExitCode> {
  const { config } = await loadSettings(options, io);
  const specs = await loadJudgingSpecs(options.spec, io, config);
  const matcher = createMatcher(specs);
  const { runs, invalid } = await runsIn(dumps, { config: configFor(config, specs), ...replayIo(io) });
  await writeInvalid(io, invalid);
  const hasTurns = specs.some(({ queries }) => queries.some(({ scope }) => scope === "conversation"));
  const numbers = new Map<string, number>();
  let written = 0;
  let failed = 0;
  for (const run of runs) {
    const name = nameOf(
      run,
      specs.map((spec) => matcher.match(run, spec)),
      hasTurns,
    );
    if (name === null) continue;
    const number = (numbers.get(name) ?? 0) + 1;
    numbers.set(name, number);
    const file = join(options.out, `${name}${number === 1 ? "" : `-${number}`}${CASSETTE_ENDING}`);
    const problem = writeRecording(file, run, options.redact, config);
    if (problem === null) written++;
    else failed++;
    await write(io.stderr, problem === null ? `wrote ${file}\n` : `${run.runId}: not written: ${problem}\n`);
  }
  await write(io.stderr, `${counted(written, "cassette")} in ${options.out}\n`);
  if (written === 0 && failed === 0)
    throw new UserError(
      "no run of the dumps matches a query of the specs",
      "tracejury coverage lists the questions",
    );
  return failed > 0 || invalid.length > 0 ? ExitCode.undecided : ExitCode.passed;
}

/** Returns the name of a run's cassette: the id of its query, or a name for its turn. Returns null if no query matches the run. */
function nameOf(
  run: AgentRun,
  found: readonly ReturnType<ReturnType<typeof createMatcher>["match"]>[],
  hasTurns: boolean,
): string | null {
  for (const one of found) if (one.kind === "matched") return fileName(one.query.id);
  return hasTurns && run.query !== null ? `turn-${fileName(namingText(run.query).slice(0, 60))}` : null;
}

function fileName(text: string): string {
  const name = namingText(text)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_.-]+/gu, "-");
  return name.replaceAll(/^[-.]+|[-.]+$/g, "") || "run";
}

export interface ServeModelsOptions extends ConfigFlags {
  readonly port: number;
}

/**
 * Answers model calls from recorded runs until the process is stopped. Prints the address of the server on
 * stdout, as one line of JSON.
 */
export async function serveModels(
  dumps: readonly string[],
  options: ServeModelsOptions,
  io: Io,
): Promise<ExitCode> {
  const { config } = await loadSettings(options, io);
  const given = { paths: dumps, config, attributes: config.attributes, specs: [], selected: [], io };
  const recordings = await loadRecordings(given);
  await sayUnplayable(recordings, io);
  if (recordings.all.length === 0) throw new UserError("no run of the dumps can be played back");
  const responder = new StandaloneResponder(
    recordings.all,
    requestReducer(createMask(config.recordedModels.ignore)),
    freshId,
  );
  const models = modelsIn(recordings.all);
  const server = await startModelServer({ responder, port: options.port, models: () => models });
  await write(io.stdout, `${JSON.stringify({ listening: { models: server.baseUrl() } })}\n`);
  await new Promise<void>((resolve) => {
    process.once("SIGINT", resolve);
    process.once("SIGTERM", resolve);
  });
  await server.close();
  return ExitCode.passed;
}
