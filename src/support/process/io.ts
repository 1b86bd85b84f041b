import type { Readable } from "node:stream";
import { escapeControls } from "../structures/control-characters.ts";

/**
 * Exit codes of commands. 0: passed. 1: a check or a gate failed. 2: undecided, or the command could not do its work, for example because a
 * file is missing. If several apply, code 1 takes precedence over 2, and 2 over 0.
 */
export const ExitCode = { passed: 0, failed: 1, undecided: 2 } as const;
export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode];

/**
 * An error with a message for the user: what failed, where, and how to fix it. The error ends the command
 * with exit code 2.
 */
export class UserError extends Error {
  readonly hint: string | undefined;

  constructor(message: string, hint?: string) {
    super(message);
    this.name = "UserError";
    this.hint = hint;
  }
}

/** Streams and environment of a command. Tests replace them. */
export interface Io {
  readonly stdin: Readable;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
}

export function processIo(): Io {
  for (const stream of [process.stdout, process.stderr]) stream.on("error", unlessUnread);
  return {
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    env: process.env,
    cwd: process.cwd(),
  };
}

/**
 * Ignores the error that occurs if the reader of the output, such as `head`, closes it. So the command continues, and its exit code does
 * not change.
 */
function unlessUnread(error: NodeJS.ErrnoException): void {
  if (error.code !== "EPIPE") throw error;
}

/**
 * Writes a text with escaped control characters. Resolves when the stream has accepted the text, so that no output is lost if a pipe is
 * slow.
 */
export function write(stream: NodeJS.WritableStream, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(escapeControls(text), (error) => {
      if (error === null || error === undefined || (error as NodeJS.ErrnoException).code === "EPIPE")
        resolve();
      else reject(error);
    });
  });
}

/** Whether to use colours. True if the stream is a terminal or `FORCE_COLOR` is set; always false if `NO_COLOR` is set. */
export function wantsColour(stream: NodeJS.WriteStream, env: NodeJS.ProcessEnv): boolean {
  if (env["NO_COLOR"] !== undefined && env["NO_COLOR"] !== "") return false;
  if (env["FORCE_COLOR"] !== undefined && env["FORCE_COLOR"] !== "0") return true;
  return stream.isTTY;
}
