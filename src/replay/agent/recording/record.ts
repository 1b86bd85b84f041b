import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { tmpdir } from "node:os";
import { type ConfigFlags, loadSettings } from "../../../config/command-settings.ts";
import type { Config } from "../../../config/config.ts";
import { dollars, grouped } from "../../../evaluate/rules/text.ts";
import type { AgentRun } from "../../../model/run.ts";
import { counted } from "../../../report/render/terminal/printable.ts";
import { ExitCode, UserError } from "../../../support/process/exit-code.ts";
import { type Io, write } from "../../../support/process/io.ts";
import { replay } from "../../replay.ts";
import { openCallReceiver } from "../call-receiver.ts";
import { mutedBy, telemetryEnvironment } from "../process/agent-environment.ts";
import { quotedForSh } from "../process/command-line.ts";
import { AgentRecording } from "./agent-recording.ts";
import { keepModelCalls, RecordedDump } from "./kept-telemetry.ts";
import { recordingRedactor } from "./open-recording.ts";
import { processResource } from "./resource.ts";

export interface RecordOptions extends ConfigFlags {
  /** Path of the dump. */
  readonly out: string;
}

/** Milliseconds for responses to export requests that are in progress when the agent ends. */
const DRAIN_MS = 2_000;

/**
 * Runs an agent with a model server between it and its providers, and appends its telemetry and model calls
 * to one dump. The agent keeps its own input and output.
 */
export async function record(command: readonly string[], options: RecordOptions, io: Io): Promise<ExitCode> {
  const { config } = await loadSettings(options, io);
  const before = await runsBefore(options.out, config, io);
  const dump = new RecordedDump(options.out, recordingRedactor(config), true);
  const folder = mkdtempSync(join(tmpdir(), "tracejury-"));
  const receiver = await openCallReceiver(folder);
  const recording = await AgentRecording.open({ env: io.env });
  const { callId, variables } = recording.forProcess();
  try {
    const env = { ...telemetryEnvironment(io.env, receiver.endpoint), ...variables };
    const ended = await runToEnd(command, env, io.cwd);
    await receiver.close(DRAIN_MS);
    await recording.ended(callId);
    const resource = processResource(io.env, nameOf(command));
    const { calls, secrets } = recording;
    await keepModelCalls({ calls, callId, receiver, config, resource, secrets });
    await dump.add(receiver.kept, config, secrets);
    const came = {
      calls: calls.countOf(callId),
      withoutContents: calls.withoutContents,
      requests: receiver.received.requests,
    };
    return await conclude(ended, came, { out: options.out, before }, config, io);
  } finally {
    await recording.close(0);
    await receiver.close(0);
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Returns the ids of the runs that an earlier recording wrote to the file.
 * @throws UserError if the file holds something else
 */
async function runsBefore(out: string, config: Config, io: Io): Promise<ReadonlySet<string>> {
  const ids = new Set<string>();
  if (!existsSync(out) || statSync(out).size === 0) return ids;
  const { invalid } = await replay([out], {
    config,
    stdin: io.stdin,
    env: io.env,
    onRun: ({ runId }) => ids.add(runId),
  });
  if (invalid.length > 0)
    throw new UserError(`${out} exists and is not a recording`, "name another file: --out traces.jsonl");
  return ids;
}

/** Returns the name of the script, or else of the program. */
function nameOf([program = "", ...words]: readonly string[]): string {
  const script = words.find((word) => /\.(?:py|[cm]?[jt]sx?|rb|php|jar)$/.test(word));
  return basename(script ?? program).replace(/\.\w+$/, "");
}

interface CommandEnd {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** Runs the command, and resolves to its exit code and signal. SIGTERM is passed to the command. */
async function runToEnd(
  [program = "", ...words]: readonly string[],
  env: NodeJS.ProcessEnv,
  cwd: string,
): Promise<CommandEnd> {
  const isWindows = process.platform === "win32";
  const child: ChildProcess = spawn(program, words, { env, cwd, stdio: "inherit", shell: isWindows });
  // A terminal sends an interrupt to both processes.
  const ignore = (): void => undefined;
  const pass = (signal: NodeJS.Signals): void => void child.kill(signal);
  process.on("SIGINT", ignore);
  process.on("SIGTERM", pass);
  try {
    return await new Promise((resolve, reject) => {
      child.once("error", (error) =>
        reject(
          new UserError(`${program} could not be started: ${error.message}`, "write the command behind --"),
        ),
      );
      child.once("exit", (exitCode, signal) => resolve({ exitCode, signal }));
    });
  } finally {
    process.removeListener("SIGINT", ignore);
    process.removeListener("SIGTERM", pass);
  }
}

interface Came {
  readonly calls: number;
  /** Number of calls whose messages were too long to keep. */
  readonly withoutContents: number;
  /** Number of the agent's export requests. */
  readonly requests: number;
}

/** Prints the recorded runs and the next step. */
async function conclude(
  { exitCode, signal }: CommandEnd,
  { calls, withoutContents, requests }: Came,
  { out, before }: { readonly out: string; readonly before: ReadonlySet<string> },
  config: Config,
  io: Io,
): Promise<ExitCode> {
  const runs: AgentRun[] = [];
  const onRun = (run: AgentRun): void => {
    if (!before.has(run.runId)) runs.push(run);
  };
  if (calls + requests > 0) await replay([out], { config, stdin: io.stdin, env: io.env, onRun });
  const hasFailed = exitCode !== 0;
  const lines = hasFailed
    ? [`the command ended ${signal === null ? `with exit code ${exitCode}` : `by ${signal}`}`]
    : [];
  if (runs.length > 0) lines.push(...summary(runs, out, before.size));
  else lines.push(...nothing(calls, io.env, hasFailed));
  if (withoutContents > 0)
    lines.push(
      `${counted(withoutContents, "model call")} recorded without messages: a recording holds at most 256 MiB of messages; record fewer turns at a time`,
    );
  for (const line of lines) await write(io.stderr, `${line}\n`);
  return runs.length > 0 && !hasFailed ? ExitCode.passed : ExitCode.couldNotTell;
}

function* summary(runs: readonly AgentRun[], out: string, earlier: number): Generator<string> {
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
  yield `next: tracejury init --from ${/^[\w./-]+$/.test(out) ? out : quotedForSh(out)}`;
}

/** Returns the sum; null if one value is unknown. */
function sum(values: readonly (number | null)[]): number | null {
  return values.reduce<number | null>((all, one) => (all === null || one === null ? null : all + one), 0);
}

function* nothing(calls: number, env: NodeJS.ProcessEnv, hasFailed: boolean): Generator<string> {
  if (calls > 0) {
    yield `${counted(calls, "model call")} arrived, but they form no run`;
    return;
  }
  yield "no model call and no telemetry arrived";
  const muted = mutedBy(env);
  if (muted !== null) yield `  ${muted}`;
  if (hasFailed) {
    yield "  fix: run the command without tracejury, and see why it ends";
    return;
  }
  yield "  fix: let the agent take its base URL from the environment (OPENAI_BASE_URL, ANTHROPIC_BASE_URL, GOOGLE_GEMINI_BASE_URL, AZURE_OPENAI_ENDPOINT)";
}
