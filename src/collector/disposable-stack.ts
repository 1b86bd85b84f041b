/** Collects opened resources, so that they can be closed if a later resource fails to open. */
export class DisposableStack {
  readonly #steps: (() => unknown)[] = [];

  add(step: () => unknown): void {
    this.#steps.push(step);
  }

  /** Closes the resources, newest first. If one fails to close, the others are still closed. */
  async run(): Promise<void> {
    for (const step of this.#steps.splice(0).reverse()) {
      try {
        await step();
      } catch {
        // Errors while closing are ignored: the caller reports the error that caused the closing.
      }
    }
  }
}
