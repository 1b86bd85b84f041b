/** Collects resources as they are opened, and closes them if a later one cannot be opened. */
export class DisposableStack {
  readonly #steps: (() => unknown)[] = [];

  add(step: () => unknown): void {
    this.#steps.push(step);
  }

  /** Closes the resources, newest first. All resources are closed, even if closing one of them fails. */
  async run(): Promise<void> {
    for (const step of this.#steps.splice(0).reverse()) {
      try {
        await step();
      } catch {
        // An error while closing is ignored: the caller reports the error because of which it closes.
      }
    }
  }
}
