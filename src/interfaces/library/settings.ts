import { capturedIo } from "../../support/process/captured-io.ts";
import { UserError } from "../../support/process/exit-code.ts";
import type { Io } from "../../support/process/io.ts";

/** What every function of the library takes. */
export interface CommonOptions {
  /** Configuration files; later ones win. */
  readonly config?: readonly string[];
  /** `a.b=value`, as `--set` takes them. */
  readonly set?: readonly string[];
  /** Where keys of judges and `${env:…}` come from; the process's own when absent. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** Something the caller can fix: a file that is not there, an invalid spec. The message says where, and how. */
export class TracejuryError extends Error {
  override readonly name = "TracejuryError";
}

/**
 * Calls a command with streams of its own. Gives what it said.
 * @throws TracejuryError with everything that the command had to say against it
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
