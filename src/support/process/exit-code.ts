/**
 * Exit codes of commands.
 * 0: passed.
 * 1: a check or a gate failed.
 * 2: undecided.
 * Code 1 takes precedence over 2, and 2 over 0.
 */
export const ExitCode = { passed: 0, failed: 1, couldNotTell: 2 } as const;
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
