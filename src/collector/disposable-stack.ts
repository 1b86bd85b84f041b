/** Closes opened resources if a later resource cannot be opened. */
export class DisposableStack {
  readonly #steps: (() => unknown)[] = [];

  add(step: () => unknown): void {
    this.#steps.push(step);
  }

  /** Closes the resources, newest first. If closing a resource fails, the others are still closed. */
  async run(): Promise<void> {
    for (const step of this.#steps.splice(0).reverse()) {
      try {
        await step();
      } catch {
        // Errors while closing are ignored, because the caller reports the error that caused the closing.
      }
    }
  }
}
