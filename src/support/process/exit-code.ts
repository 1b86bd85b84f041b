/** Exit codes of commands. 0: passed. 1: a failure, or a gate of the user. 2: could not tell. 1 wins over 2, 2 over 0. */
export const ExitCode = { passed: 0, failed: 1, couldNotTell: 2 } as const;
export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode];

/** An error whose message is meant for the person at the terminal: what, where, and how to fix it. Ends the command with code 2. */
export class UserError extends Error {
  readonly hint: string | undefined;

  constructor(message: string, hint?: string) {
    super(message);
    this.name = "UserError";
    this.hint = hint;
  }
}
