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

/** Stands in the environment of all that a command starts, so that it is found when it has left the process group. */
const MARK = "TRACEJURY_CHECK";

/** How long to read output after the command exits, because a leftover child process may keep the pipe open. */
const DRAIN_MS = 250;

/**
 * Runs a command that reads JSON on its standard input and writes its result as JSON. All it started is ended when it has ended, takes too
 * long, or writes too much. Never rejects.
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
      // Only what still holds a pipe, or did not end in time, can have left the group.
      if (!isClosed) endAll(child, `${MARK}=${mark}`);
      resolve(finding);
    };
    let timer = setTimeout(() => finish(broken(`it took longer than ${timeoutMs} ms`)), timeoutMs);
    const output = collected(child.stdout, () =>
      finish(broken(`it wrote more than ${MOST_REPLY_BYTES} bytes`)),
    );
    const errors = collected(child.stderr, () => undefined);
    const conclude = (code: number | null, isClosed: boolean): void => {
      if (code === 0) finish(readReply(output()), isClosed);
      else finish(broken(`it ended with code ${code ?? "none"}${lastLine(errors())}`), isClosed);
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

/** Collects a stream's output up to a limit. */
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

/** Ends also what has left the group, and waits for no output any longer. */
function endAll(child: ChildProcess, mark: string): void {
  const { pid, exitCode } = child;
  // Windows may have given the id of a command that ended to another process.
  const isLost = pid === undefined || (process.platform === "win32" && exitCode !== null);
  if (!isLost) signalAll(processesOf(pid, mark), "SIGKILL");
  for (const stream of child.stdio) stream?.destroy();
  child.unref();
}
