import { type ChildProcess, spawn } from "node:child_process";
import { createReadStream, existsSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { Readable } from "node:stream";
import { basename, join } from "node:path";
import { tmpdir } from "node:os";
import { type ConfigFlags, loadSettings } from "../../../config/command-settings.ts";
import type { Config } from "../../../config/config.ts";
import { dollars, grouped } from "../../../evaluate/rules/text.ts";
import type { AgentRun } from "../../../model/run.ts";
import { counted } from "../../../report/render/terminal/printable.ts";
import { ExitCode, type Io, UserError, write } from "../../../support/process/io.ts";
import { replay } from "../../replay.ts";
import { openCallReceiver } from "../call-receiver.ts";
import { mutedBy, telemetryEnvironment } from "../process/agent-environment.ts";
import { quotedForSh } from "../process/command-line.ts";
import type { OmittedContents } from "../../../model-server/record/omitted-contents.ts";
import { CallReader } from "../../../model-server/record/call-reader.ts";
import { AgentRecording } from "./agent-recording.ts";
import { endLastLine } from "./last-line.ts";
import { placeModelCalls, RecordedDump } from "./kept-telemetry.ts";
import { recordingRedactor } from "./open-recording.ts";
import { processResource } from "./resource.ts";

export interface RecordOptions extends ConfigFlags {
  /** Path of the dump. */
  readonly out: string;
  /** Maximum size in bytes up to which the runs of a recording are counted at the end. */
  readonly longestCounted?: number;
}

/** Default of `longestCounted`. Counting the runs of a larger recording can take minutes and gigabytes of memory. */
const LONGEST_COUNTED = 64 * 2 ** 20;

/** Milliseconds for which export requests may still run after the agent has ended. */
const DRAIN_MS = 2_000;

/**
 * Runs an agent with a model server between the agent and its providers. Each model call is appended to the dump when it ends, the agent's
 * own telemetry when it arrives. The agent uses standard input and output of this process.
 */
export async function record(command: readonly string[], options: RecordOptions, io: Io): Promise<ExitCode> {
  const { config } = await loadSettings(options, io);
  const { out, longestCounted = LONGEST_COUNTED } = options;
  endLastLine(out);
  const earlierRuns = await countRuns(out, config, io);
  const reader = new CallReader(recordingRedactor(config));
  const dump = new RecordedDump(out, reader, true);
  const startBytes = statSync(out).size;
  const folder = mkdtempSync(join(tmpdir(), "tracejury-"));
  const recording = await AgentRecording.open({ env: io.env, dump: { path: out, reader } });
  const { calls, secrets } = recording;
  let writing = Promise.resolve();
  const receiver = await openCallReceiver(folder, {
    onSent: (path) => {
      writing = writing.then(() => dump.add([path], config, secrets));
      // A failed write is reported when `writing` is awaited, after the agent has ended.
      writing.catch(() => undefined);
    },
  });
  const { callId, variables } = recording.forProcess(processResource(io.env, nameOf(command)));
  try {
    const env = { ...telemetryEnvironment(io.env, receiver.endpoint), ...variables };
    const ended = await runToEnd(command, env, io.cwd);
    await Promise.all([receiver.close(DRAIN_MS), recording.ended(callId)]);
    await writing;
    await placeModelCalls({ calls, callId, receiver, config });
    dump.removeLate(secrets);
    const came = {
      calls: calls.countOf(callId),
      unwritten: recording.unwritten,
      omitted: calls.omitted,
      requests: receiver.received.requests,
    };
    return await conclude(ended, came, { out, startBytes, earlierRuns, longestCounted }, config, io);
  } finally {
    await recording.close(0);
    await receiver.close(0);
    recording.release();
    dump.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Returns the number of runs that the file already contains.
 * @throws UserError if the file is not a recording
 */
async function countRuns(out: string, config: Config, io: Io): Promise<number> {
  let runs = 0;
  if (!existsSync(out) || statSync(out).size === 0) return runs;
  const { invalid } = await replay([out], { config, stdin: io.stdin, env: io.env, onRun: () => runs++ });
  if (invalid.length > 0)
    throw new UserError(`${out} exists and is not a recording`, "choose another file: --out traces.jsonl");
  return runs;
}

/** Options of Node and Ruby whose value is a file that is loaded before the script. */
const preloads: readonly string[] = ["--import", "--require", "-r", "--loader", "--experimental-loader"];

/** Returns the name of the script in a command such as `python agent.py`; if it has no script, the name of the program. */
function nameOf([program = "", ...words]: readonly string[]): string {
  const script = words.find(
    (word, at) =>
      /\.(?:py|[cm]?[jt]sx?|rb|php|jar)$/.test(word) &&
      !word.startsWith("-") &&
      !preloads.includes(words[at - 1] ?? ""),
  );
  return basename(script ?? program).replace(/\.\w+$/, "");
}

interface CommandEnd {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** Runs the command, and passes SIGTERM to it. Resolves to the exit code and signal of the command. */
async function runToEnd(
  [program = "", ...words]: readonly string[],
  env: NodeJS.ProcessEnv,
  cwd: string,
): Promise<CommandEnd> {
  const isWindows = process.platform === "win32";
  const child: ChildProcess = spawn(program, words, { env, cwd, stdio: "inherit", shell: isWindows });
  const pass = (signal: NodeJS.Signals): void => void child.kill(signal);
  const interrupt = (signal: NodeJS.Signals): void => {
    // On a terminal, the command receives the interrupt itself, so it is not passed on.
    if (!process.stdin.isTTY) pass(signal);
  };
  process.on("SIGINT", interrupt);
  process.on("SIGTERM", pass);
  try {
    return await new Promise((resolve, reject) => {
      child.once("error", (error) =>
        reject(
          new UserError(`${program} could not be started: ${error.message}`, "write the command after --"),
        ),
      );
      child.once("exit", (exitCode, signal) => resolve({ exitCode, signal }));
    });
  } finally {
    process.removeListener("SIGINT", interrupt);
    process.removeListener("SIGTERM", pass);
  }
}

interface Came {
  readonly calls: number;
  /** Number of model calls that could not be written to the dump. */
  readonly unwritten: number;
  /** Number of model calls that are in the dump without messages, by reason. */
  readonly omitted: ReadonlyMap<OmittedContents, number>;
  /** Number of export requests that the agent sent. */
  readonly requests: number;
}

interface Written {
  readonly out: string;
  /** Size of the file before this recording, in bytes. */
  readonly startBytes: number;
  readonly earlierRuns: number;
  readonly longestCounted: number;
}

type RunFigures = Pick<AgentRun, "llmCalls" | "totalTokens" | "costUsd">;

/** Prints the recorded runs and the next step. */
async function conclude(
  { exitCode, signal }: CommandEnd,
  { calls, unwritten, omitted, requests }: Came,
  { out, startBytes, earlierRuns, longestCounted }: Written,
  config: Config,
  io: Io,
): Promise<ExitCode> {
  const runs: RunFigures[] = [];
  const onRun = ({ llmCalls, totalTokens, costUsd }: AgentRun): void =>
    void runs.push({ llmCalls, totalTokens, costUsd });
  const sizeBytes = statSync(out).size - startBytes;
  const isCounted = sizeBytes <= longestCounted;
  if (calls + requests > 0 && isCounted) {
    const stdin = startBytes === 0 ? Readable.from([]) : createReadStream(out, { start: startBytes });
    await replay([startBytes === 0 ? out : "-"], { config, stdin, env: io.env, onRun });
  }
  const hasFailed = exitCode !== 0;
  const lines = hasFailed
    ? [`the command ended ${signal === null ? `with exit code ${exitCode}` : `by ${signal}`}`]
    : [];
  if (runs.length > 0) lines.push(...summary(runs, out, earlierRuns));
  else if (!isCounted)
    lines.push(
      `${out}: ${counted(calls, "model call")}, ${grouped(Math.round(sizeBytes / 2 ** 20))} MiB`,
      `next: tracejury inspect ${fileArgument(out)}`,
    );
  else lines.push(...nothing(calls, io.env, hasFailed));
  for (const [reason, count] of omitted)
    lines.push(`${counted(count, "model call")} recorded with messages missing: ${omittedReasons[reason]}`);
  if (unwritten > 0)
    lines.push(
      `${counted(unwritten, "model call")} not recorded: ${out} could not be written; free disk space`,
    );
  for (const line of lines) await write(io.stderr, `${line}\n`);
  const hasRuns = runs.length > 0 || (!isCounted && calls > 0);
  return hasRuns && !hasFailed && unwritten === 0 ? ExitCode.passed : ExitCode.undecided;
}

const omittedReasons: Readonly<Record<OmittedContents, string>> = {
  body_too_large: "a body is larger than 32 MiB",
  messages_too_long: "a call can contain at most 8 MiB of messages",
  no_memory:
    "the bodies of simultaneous calls need more than 1 GiB, one call needs more than 256 MiB to be read, or the disk is full; let the agent make fewer or smaller calls at a time",
  not_read_in_time: "the agent ended before the bodies were read; let the agent make fewer calls at a time",
  recording_full: "a recording can contain at most 256 MiB of messages; record fewer turns at a time",
};

function* summary(runs: readonly RunFigures[], out: string, earlier: number): Generator<string> {
  const calls = sum(runs.map(({ llmCalls }) => llmCalls));
  const tokens = sum(runs.map(({ totalTokens }) => totalTokens));
  const cost = sum(runs.map(({ costUsd }) => costUsd));
  yield [
    `${out}: ${counted(runs.length, "run")}`,
    calls === null ? "number of model calls unknown" : counted(calls, "model call"),
    tokens === null ? "tokens unknown" : `${grouped(tokens)} ${tokens === 1 ? "token" : "tokens"}`,
    cost === null ? "cost unknown" : dollars(cost),
  ].join(", ");
  if (earlier > 0)
    yield `${counted(earlier, "earlier run")} in the file ${earlier === 1 ? "is" : "are"} kept`;
  yield `next: tracejury init --from ${fileArgument(out)}`;
}

function fileArgument(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : quotedForSh(path);
}

/** Returns the sum; null if one of the values is null. */
function sum(values: readonly (number | null)[]): number | null {
  return values.reduce<number | null>((all, one) => (all === null || one === null ? null : all + one), 0);
}

function* nothing(calls: number, env: NodeJS.ProcessEnv, hasFailed: boolean): Generator<string> {
  if (calls > 0) {
    yield `${counted(calls, "model call")} arrived, but no agent run could be made from them`;
    return;
  }
  yield "no model call and no telemetry arrived";
  const muted = mutedBy(env);
  if (muted !== null) yield `  ${muted}`;
  if (hasFailed) {
    yield "  fix: run the command without tracejury, to see why it ends";
    return;
  }
  yield "  fix: let the agent's model client read its base URL from the environment (OPENAI_BASE_URL, ANTHROPIC_BASE_URL, GOOGLE_GEMINI_BASE_URL, AZURE_OPENAI_ENDPOINT)";
}
