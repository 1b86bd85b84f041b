/** An error that ends a pull. The message says what failed and where; `fix` says what the user can do. */
export class PullError extends Error {
  readonly fix: string | undefined;

  constructor(message: string, fix?: string) {
    super(message);
    this.name = "PullError";
    this.fix = fix;
  }
}
