/** A pull that cannot go on. The message says what failed and where, `fix` what the user can do about it. */
export class PullError extends Error {
  readonly fix: string | undefined;

  constructor(message: string, fix?: string) {
    super(message);
    this.name = "PullError";
    this.fix = fix;
  }
}
