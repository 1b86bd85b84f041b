/** A pull cannot continue. The message says what failed and where; `fix` says what the user can do. */
export class PullError extends Error {
  readonly fix: string | undefined;

  constructor(message: string, fix?: string) {
    super(message);
    this.name = "PullError";
    this.fix = fix;
  }
}
