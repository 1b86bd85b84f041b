import { dirname, resolve } from "node:path";
import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import type { Finding } from "../../evaluate/checks/check.ts";
import type { UserCheck } from "../../evaluate/checks/user/user-check.ts";
import type { UserCheckPort } from "../../evaluate/checks/user/user-check-port.ts";
import type { AgentRun } from "../../model/run.ts";
import { runJson } from "../../report/json/run-json.ts";
import type { CompiledQuery, CompiledSpec } from "../../evaluate/query/compiled.ts";
import { Semaphore } from "../limits/semaphore.ts";
import { ModuleProcess } from "./module-process.ts";
import { broken, MOST_REPLY_BYTES, readReply } from "./reply.ts";
import { processesOf, signalAll } from "../../support/process/processes.ts";
import { endGroup } from "./process-group.ts";
import { wordList } from "../../support/structures/word-list.ts";

/** Environment variable that marks all processes of a command, to find processes that left the process group. */
const MARK = "TRACEJURY_CHECK";

/** Milliseconds for reading output after the command exited, because a remaining child process can keep the pipe open. */
const DRAIN_MS = 250;

/** Maximum number of concurrent command processes. */
const MOST_COMMANDS = 4;
const MOST_INPUT_CHARACTERS = 16 * 2 ** 20;

export interface UserChecks extends UserCheckPort {
  close(): Promise<void>;
}

/** Why user checks must not run, and what the user can do. */
export interface UserCheckRefusal {
  readonly message: string;
  readonly remedy: string;
}

/**
 * Opens the user checks of specs: modules and commands in separate processes, with paths relative to the spec. The processes get only
 * environment variables that programs need, and no keys. With `refusal`, no process starts, and each user check is `incomplete`. Undefined
 * if no query has user checks.
 */
export function openUserChecks(
  specs: readonly CompiledSpec[],
  env: NodeJS.ProcessEnv,
  refusal?: UserCheckRefusal,
): UserChecks | undefined {
  const wanted = specs.some(({ queries }) =>
    queries.some(({ checks }) => checks.some(({ check }) => check.user !== undefined)),
  );
  if (!wanted) return undefined;
  return refusal === undefined ? new Runner(bareEnv(env)) : refusing(refusal);
}

function refusing({ message, remedy }: UserCheckRefusal): UserChecks {
  const finding: Finding = { outcome: "incomplete", value: null, message, missing: ["check"], remedy };
  return { run: () => Promise.resolve(finding), close: () => Promise.resolve() };
}

class Runner implements UserChecks {
  readonly #env: NodeJS.ProcessEnv;
  readonly #modules = new Map<string, ModuleProcess>();
  readonly #places = new Semaphore(MOST_COMMANDS);

  constructor(env: NodeJS.ProcessEnv) {
    this.#env = env;
  }

  async run(check: UserCheck, run: AgentRun, query: CompiledQuery, spec: CompiledSpec): Promise<Finding> {
    const input = inputOf(check, run, query, spec);
    if (input.length > MOST_INPUT_CHARACTERS)
      return broken(
        `its input, which contains the run as JSON, is longer than ${MOST_INPUT_CHARACTERS} characters`,
      );
    const folder = dirname(resolve(spec.file));
    const { runs, timeoutMs } = check;
    if ("command" in runs) return this.#command(runs.command, input, timeoutMs, folder);
    return this.#module(resolve(folder, runs.module)).run(runs.exported, input, timeoutMs);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#modules.values()].map((module) => module.close()));
  }

  #module(file: string): ModuleProcess {
    const known = this.#modules.get(file) ?? new ModuleProcess(file, this.#env);
    this.#modules.set(file, known);
    return known;
  }

  async #command(command: string, input: string, timeoutMs: number, cwd: string): Promise<Finding> {
    const leave = await this.#places.enter();
    try {
      return await runCommand(command, input, timeoutMs, { cwd, env: this.#env });
    } finally {
      leave?.();
    }
  }
}

/** Returns the JSON input of a user check: the run as in `inspect --full`, the query and the check's arguments. */
function inputOf(check: UserCheck, run: AgentRun, query: CompiledQuery, spec: CompiledSpec): string {
  return JSON.stringify({
    format_version: 1,
    check: check.name,
    args: check.args,
    spec: spec.name,
    query: { id: query.id, text: query.text, tags: query.tags },
    run: runJson(run, true),
    ...(run.turns === undefined ? {} : { turns: run.turns.map((turn) => runJson(turn, true)) }),
  });
}

const passedOn = wordList("PATH HOME LANG LC_ALL TZ TMPDIR TEMP TMP SystemRoot COMSPEC PATHEXT");

function bareEnv(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(
    passedOn.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]] as const])),
  );
}

interface CommandSurroundings {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

/**
 * Runs a command that reads JSON from standard input and writes its result as JSON. When the command exits, exceeds its time-out or writes
 * too much, its process group is ended. Processes that left the group are found by the environment variable `TRACEJURY_CHECK`, and ended,
 * too, unless the command exited by itself and its output is closed. The promise does not reject.
 */
function runCommand(
  command: string,
  input: string,
  timeoutMs: number,
  { cwd, env }: CommandSurroundings,
): Promise<Finding> {
  return new Promise((resolve) => {
    const mark = randomUUID();
    const child = spawn(command, {
      cwd,
      env: { ...env, [MARK]: mark },
      shell: true,
      detached: process.platform !== "win32",
      stdio: "pipe",
    });
    let done = false;
    const finish = (finding: Finding, isClosed = false): void => {
      if (done) return;
      done = true;
      clearTimeout(timer);
      endGroup(child);
      // If the command exited and its output is closed, processes outside the group are not searched.
      if (!isClosed) endAll(child, `${MARK}=${mark}`);
      resolve(finding);
    };
    let timer = setTimeout(() => finish(broken(`the command took longer than ${timeoutMs} ms`)), timeoutMs);
    const output = collected(child.stdout, () =>
      finish(broken(`the command wrote more than ${MOST_REPLY_BYTES} bytes`)),
    );
    const errors = collected(child.stderr, () => undefined);
    const conclude = (code: number | null, signal: NodeJS.Signals | null, isClosed: boolean): void => {
      if (code === 0) finish(readReply(output()), isClosed);
      else {
        const end = code === null ? `signal ${signal ?? "unknown"}` : `code ${code}`;
        finish(broken(`the command ended with ${end}${lastLine(errors())}`), isClosed);
      }
    };
    child.on("error", (error) => finish(broken(error.message)));
    child.on("exit", (code, signal) => {
      if (done) return;
      clearTimeout(timer);
      timer = setTimeout(() => conclude(code, signal, false), DRAIN_MS);
    });
    child.on("close", (code, signal) => conclude(code, signal, true));
    child.stdin.on("error", () => undefined);
    child.stdin.end(input);
  });
}

/** Collects a stream's output. The returned function gives the text so far. Calls `tooMuch` if the output exceeds `MOST_REPLY_BYTES`. */
function collected(stream: NodeJS.ReadableStream, tooMuch: () => void): () => string {
  const parts: Buffer[] = [];
  let size = 0;
  stream.on("data", (part: Buffer) => {
    size += part.length;
    if (size <= MOST_REPLY_BYTES) parts.push(part);
    else tooMuch();
  });
  stream.on("error", () => undefined);
  return () => Buffer.concat(parts).toString("utf8");
}

function lastLine(text: string): string {
  const line = text.trim().split("\n").at(-1)?.trim() ?? "";
  return line === "" ? "" : `: ${line.slice(0, 300)}`;
}

/** Ends all processes that `mark` marks, also outside the group, and closes the command's streams. */
function endAll(child: ChildProcess, mark: string): void {
  const { pid, exitCode } = child;
  // On Windows, another process may already have the id of a command that exited, so no process is ended.
  const isLost = pid === undefined || (process.platform === "win32" && exitCode !== null);
  if (!isLost) signalAll(processesOf(pid, mark), "SIGKILL");
  for (const stream of child.stdio) stream?.destroy();
  child.unref();
}
