import { capturedIo } from "../../support/process/captured-io.ts";
import { type Io, UserError } from "../../support/process/io.ts";

/** Settings that all library functions accept. */
export interface CommonOptions {
  /** Configuration files. Later files take precedence. */
  readonly config?: readonly string[];
  /** Settings in the form `a.b=value`, as for `--set`. */
  readonly set?: readonly string[];
  /**
   * Environment variables with the keys of judges and for `${env:…}`. The default is the environment of the
   * process.
   */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/**
 * An error that the caller can fix, such as a missing file or an invalid spec. The message names the position
 * and the fix, if they are known.
 */
export class TracejuryError extends Error {
  override readonly name = "TracejuryError";
}

/**
 * Runs a command with streams that capture its output. Returns the command's result and the captured output.
 * @throws TracejuryError with all messages of the command, if the command throws a `UserError`
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
