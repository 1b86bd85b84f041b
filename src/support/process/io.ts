import type { Readable } from "node:stream";
import { escapeControls } from "../structures/control-characters.ts";

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
 * Ignores the error that the reader closed the output, as `head` does, so that the command continues and
 * keeps its exit code.
 */
function unlessUnread(error: NodeJS.ErrnoException): void {
  if (error.code !== "EPIPE") throw error;
}

/**
 * Writes a text, and waits until the stream has accepted it, so that no output is lost if a pipe is slow.
 * Control characters are escaped.
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

/** Whether to use colours: the stream is a terminal or `FORCE_COLOR` is set, and `NO_COLOR` is not set. */
export function wantsColour(stream: NodeJS.WriteStream, env: NodeJS.ProcessEnv): boolean {
  if (env["NO_COLOR"] !== undefined && env["NO_COLOR"] !== "") return false;
  if (env["FORCE_COLOR"] !== undefined && env["FORCE_COLOR"] !== "0") return true;
  return stream.isTTY;
}
