import { type ChildProcess, spawn } from "node:child_process";
import type { Finding } from "../evaluate/check.ts";
import { broken, MOST_REPLY_BYTES, readReply } from "./reply.ts";

export interface CommandSurroundings {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

/**
 * Runs a command that reads JSON on its standard input and writes its result as JSON. It is ended, with all it started, when it takes
 * too long or writes too much. Never rejects.
 */
export function runCommand(
  command: string,
  input: string,
  timeoutMs: number,
  { cwd, env }: CommandSurroundings,
): Promise<Finding> {
  return new Promise((resolve) => {
    const child = spawn(command, {
      cwd,
      env,
      shell: true,
      detached: process.platform !== "win32",
      stdio: "pipe",
    });
    let done = false;
    const finish = (finding: Finding): void => {
      if (done) return;
      done = true;
      clearTimeout(timer);
      end(child);
      resolve(finding);
    };
    const timer = setTimeout(() => finish(broken(`it took longer than ${timeoutMs} ms`)), timeoutMs);
    const output = collected(child.stdout, () =>
      finish(broken(`it wrote more than ${MOST_REPLY_BYTES} bytes`)),
    );
    const said = collected(child.stderr, () => undefined);
    child.on("error", (error) => finish(broken(error.message)));
    child.on("close", (code) => {
      if (code === 0) finish(readReply(output()));
      else finish(broken(`it ended with code ${code ?? "none"}${lastLine(said())}`));
    });
    child.stdin.on("error", () => undefined);
    child.stdin.end(input);
  });
}

/** Collects what a stream gives, as long as it is not too much. */
function collected(stream: NodeJS.ReadableStream, tooMuch: () => void): () => string {
  const parts: Buffer[] = [];
  let size = 0;
  stream.on("data", (part: Buffer) => {
    size += part.length;
    if (size <= MOST_REPLY_BYTES) parts.push(part);
    else tooMuch();
  });
  return () => Buffer.concat(parts).toString("utf8");
}

function lastLine(text: string): string {
  const line = text.trim().split("\n").at(-1)?.trim() ?? "";
  return line === "" ? "" : `: ${line.slice(0, 300)}`;
}

/** Ends the command and what it started; nothing is left to end when it has ended by itself. */
function end(child: ChildProcess): void {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  try {
    if (process.platform === "win32") child.kill("SIGKILL");
    else process.kill(-child.pid, "SIGKILL");
  } catch {
    child.kill("SIGKILL");
  }
}
