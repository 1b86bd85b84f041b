import { startTimer } from "../../../support/process/timer.ts";
import { constants } from "node:os";
import { join } from "node:path";
import type { AgentRun } from "../../../model/run.ts";
import { writePrivateFile } from "../../../support/process/private-files.ts";
import { agentEnvironment } from "./agent-environment.ts";
import type { AgentCall, CallPlan } from "../call.ts";
import { type CallReceiver, openCallReceiver } from "../call-receiver.ts";
import { commandLine } from "./command-line.ts";
import { type Ended, ProcessTree } from "../../../support/process/process-tree.ts";
import { exportErrorIn } from "./export-error.ts";
import { IN_CODE, missingTelemetryOf } from "./missing-telemetry.ts";

export interface ExecOptions {
  /** Shell command with placeholders. */
  readonly command: string;
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  readonly timeoutMs: number;
  /** Reads the runs from a folder with request bodies. */
  readonly readRuns: (folder: string) => Promise<readonly AgentRun[]>;
  /** Opens a model server for one call of the agent. If absent, the agent calls its providers directly. */
  readonly openModels?: (plan: CallPlan, receiver: CallReceiver) => CallModels;
  /** Called with each started process, so that an interrupt can end it. */
  readonly onStart?: (tree: ProcessTree) => void;
}

/** The model server of one call of the agent. */
export interface CallModels {
  /** Additional environment variables for the agent's process. */
  readonly variables: Readonly<Record<string, string>>;
  /**
   * Adds model calls to the received telemetry, before runs are read.
   * @param hasEnded true if no more model calls can follow
   */
  readonly keep: (hasEnded: boolean) => Promise<void>;
}

/** Milliseconds between SIGTERM and SIGKILL. */
const TERM_GRACE_MS = 2_000;
/** Milliseconds that running requests get to finish after an agent ended. */
const DRAIN_MS = 2_000;

/**
 * Starts the agent for one query, with a receiver for this call only. Waits until the agent has ended and its telemetry has arrived. If a
 * child process still runs after the agent has ended, waits until each run is complete or the time is over.
 */
export async function execCall(plan: CallPlan, options: ExecOptions): Promise<AgentCall> {
  const start = performance.now();
  const receiver = await openCallReceiver(plan.folder);
  const models = options.openModels?.(plan, receiver);
  const env = { ...agentEnvironment(options.env, receiver.endpoint, plan), ...models?.variables };
  const tree = new ProcessTree(commandLine(options.command, plan, process.platform), {
    env,
    cwd: options.cwd,
  });
  options.onStart?.(tree);
  const clock = startTimer(options.timeoutMs, "timeout");
  try {
    const ended = await Promise.race([tree.ended, clock.reached]);
    if (ended !== "timeout") {
      const read = async (): Promise<readonly AgentRun[]> => {
        // The recorded model calls do not show whether the run is complete. So reads no run until telemetry of the agent itself has
        // arrived.
        if (receiver.received.requests === 0) return [];
        await models?.keep(false);
        return options.readRuns(plan.folder);
      };
      await settled(tree, receiver, clock.reached, read);
    }
    await tree.end(TERM_GRACE_MS);
    await receiver.close(DRAIN_MS);
    await models?.keep(true);
    const runs = receiver.kept.length === 0 ? [] : await options.readRuns(plan.folder);
    writePrivateFile(join(plan.folder, "output.log"), tree.output);
    const { requests, spans } = receiver.received;
    const common = { plan, durationMs: performance.now() - start, requests, spans, runs };
    return { ...common, ...conclusion(ended, runs, { tree, receiver, env, options }) };
  } finally {
    clock.stop();
    tree.release();
  }
}

/** Waits until all received runs are complete, the agent's processes have ended, or the time is over. */
async function settled(
  tree: ProcessTree,
  receiver: CallReceiver,
  over: Promise<"timeout">,
  read: () => Promise<readonly AgentRun[]>,
): Promise<void> {
  while (tree.alive) {
    const runs = await read();
    if (runs.length > 0 && runs.every(({ complete }) => complete)) return;
    // Waits for new telemetry, or until the child processes must be checked again: their end causes no event.
    const more = await Promise.race([receiver.next(), over, soon()]);
    if (more === "timeout") return;
  }
}

const LOOK_EVERY_MS = 200;

function soon(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, LOOK_EVERY_MS);
  });
}

interface Surroundings {
  readonly tree: ProcessTree;
  readonly receiver: CallReceiver;
  readonly env: NodeJS.ProcessEnv;
  readonly options: ExecOptions;
}

type Conclusion = Pick<AgentCall, "outcome" | "exitCode" | "signal" | "reason" | "hint">;

function conclusion(
  ended: Ended | "timeout",
  runs: readonly AgentRun[],
  { tree, receiver, env, options }: Surroundings,
): Conclusion {
  if (ended === "timeout") {
    const isMute = receiver.received.requests === 0;
    const sent = isMute
      ? ", and no telemetry had arrived"
      : runs.length === 0
        ? ", and no agent run had arrived in its telemetry"
        : "";
    const error = isMute ? exportErrorIn(tree.output, receiver.endpoint) : null;
    const quoted = error === null ? "" : `; its output contains: ${error}`;
    const reason = `not finished after ${options.timeoutMs / 1000} s: the agent and its child processes were ended${sent}${quoted}`;
    const time = "give the agent more time with --timeout";
    const hint = isMute
      ? `${time}. If the time was long enough, the agent has no exporter, or sends its telemetry to another endpoint: ${IN_CODE}`
      : time;
    return { outcome: "timed_out", exitCode: null, signal: null, reason, hint };
  }
  const { exitCode, signal, error } = ended;
  if (error !== null) {
    return {
      outcome: "not_started",
      exitCode,
      signal,
      reason: `the program could not be started: ${error}`,
      hint: "",
    };
  }
  if (exitCode !== 0) {
    const how = signal === null ? `with exit code ${exitText(exitCode)}` : `by ${signal}`;
    const sent = runs.length === 0 ? " before its telemetry contained a run" : "";
    const thrown = errorIn(tree.output);
    const unsent =
      thrown === null && runs.length === 0 ? exportErrorIn(tree.output, receiver.endpoint) : null;
    const output = thrown ?? unsent ?? lastLines(tree.output);
    const reason = `the agent ended ${how}${sent}${output === "" ? "" : `: ${output}`}`;
    const log = "the agent's output is in output.log in the folder of the call";
    const hint = unsent === null ? log : `${IN_CODE}; ${log}`;
    return { outcome: "failed", exitCode, signal, reason, hint };
  }
  if (runs.length > 0) return { outcome: "ok", exitCode, signal, reason: "", hint: "" };
  return {
    outcome: "silent",
    exitCode,
    signal,
    ...missingTelemetryOf(receiver.received, env, receiver.endpoint, tree.output),
  };
}

/**
 * Returns the exit code as text. For a code above 128, adds the name of a signal, such as `"143 (SIGTERM)"`: a shell returns such a code if
 * a signal ended the command.
 */
function exitText(exitCode: number | null): string {
  if (exitCode === null) return "unknown";
  const signal = Object.entries(constants.signals).find(([, number]) => number === exitCode - 128);
  return signal === undefined ? String(exitCode) : `${exitCode} (${signal[0]})`;
}

const LINES = 3;
/** Matches blank lines, and lines that only mark a position in the line above, such as `^^^`. */
const POINTERS = /^[\s^~]*$/;

/**
 * Matches the message of an uncaught error, such as `openai.RateLimitError: …`. Node prints the stack and further fields after this
 * message.
 */
const ERROR = /^(?:Uncaught )?(?:\w+\.)*\w*(?:Error|Exception)\b(?: \[\w+\])?: \S/;

function errorIn(output: string): string | null {
  return (
    linesOf(output)
      .findLast((line) => ERROR.test(line))
      ?.trim() ?? null
  );
}

function lastLines(output: string): string {
  return linesOf(output)
    .slice(-LINES)
    .map((line) => line.trim())
    .join(" / ");
}

function linesOf(output: string): string[] {
  return output.split(/\r?\n/).filter((line) => !POINTERS.test(line));
}
