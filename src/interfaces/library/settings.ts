import { capturedIo } from "../../support/process/captured-io.ts";
import { UserError } from "../../support/process/exit-code.ts";
import type { Io } from "../../support/process/io.ts";

/** Settings of every library function. */
export interface CommonOptions {
  /** Configuration files. Later files take precedence. */
  readonly config?: readonly string[];
  /** Settings as `a.b=value`, as in `--set`. */
  readonly set?: readonly string[];
  /** Environment variables for judge keys and `${env:…}`. Default: the process's environment. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** An error that the caller can fix, such as a missing file or an invalid spec. The message has the place and the fix. */
export class TracejuryError extends Error {
  override readonly name = "TracejuryError";
}

/**
 * Runs a command with separate streams and returns its output.
 * @throws TracejuryError with all messages of the command
 */
export async function called<Result>(
  { env }: CommonOptions,
  command: (io: Io) => Promise<Result>,
): Promise<{ readonly result: Result; readonly stdout: string; readonly stderr: string }> {
  const { io, stdout, stderr } = capturedIo({ ...(env ?? process.env) }, process.cwd());
  try {
    const result = await command(io);
    return { result, stdout: stdout(), stderr: stderr() };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    const fix = error.hint === undefined ? "" : `\nfix: ${error.hint}`;
    throw new TracejuryError(`${stderr()}${error.message}${fix}`);
  }
}
