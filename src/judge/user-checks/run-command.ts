import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import type { Finding } from "../../evaluate/checks/check.ts";
import { processesOf, signalAll } from "../../support/process/processes.ts";
import { endGroup } from "./process-group.ts";
import { broken, MOST_REPLY_BYTES, readReply } from "./reply.ts";

export interface CommandSurroundings {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

/** Environment variable that marks all processes of a command, to find processes that left the process group. */
const MARK = "TRACEJURY_CHECK";

/** Milliseconds for reading output after the command exited, because a remaining child process can keep the pipe open. */
const DRAIN_MS = 250;

/**
 * Runs a command that reads JSON from standard input and writes its result as JSON. The process group ends when the command exits, exceeds
 * its time-out or writes too much. Unless the command exited and closed its output, processes that left the group also end; the environment
 * variable `TRACEJURY_CHECK` marks these processes. The promise does not reject.
 */
export function runCommand(
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
      // If the command exited and closed its output, no process outside the group is searched.
      if (!isClosed) endAll(child, `${MARK}=${mark}`);
      resolve(finding);
    };
    let timer = setTimeout(() => finish(broken(`the command took longer than ${timeoutMs} ms`)), timeoutMs);
    const output = collected(child.stdout, () =>
      finish(broken(`the command wrote more than ${MOST_REPLY_BYTES} bytes`)),
    );
    const errors = collected(child.stderr, () => undefined);
    const conclude = (code: number | null, isClosed: boolean): void => {
      if (code === 0) finish(readReply(output()), isClosed);
      else finish(broken(`the command ended with code ${code ?? "none"}${lastLine(errors())}`), isClosed);
    };
    child.on("error", (error) => finish(broken(error.message)));
    child.on("exit", (code) => {
      if (done) return;
      clearTimeout(timer);
      timer = setTimeout(() => conclude(code, false), DRAIN_MS);
    });
    child.on("close", (code) => conclude(code, true));
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

/** Ends all marked processes, also outside the group, and closes the command's streams. */
function endAll(child: ChildProcess, mark: string): void {
  const { pid, exitCode } = child;
  // On Windows, another process may already have the id of an ended command.
  const isLost = pid === undefined || (process.platform === "win32" && exitCode !== null);
  if (!isLost) signalAll(processesOf(pid, mark), "SIGKILL");
  for (const stream of child.stdio) stream?.destroy();
  child.unref();
}
