/** Opened resources, so that they can be closed if a later one fails to open. */
export class DisposableStack {
  readonly #steps: (() => unknown)[] = [];

  add(step: () => unknown): void {
    this.#steps.push(step);
  }

  /** From the newest on; each is tried, whatever becomes of the others. */
  async run(): Promise<void> {
    for (const step of this.#steps.splice(0).reverse()) {
      try {
        await step();
      } catch {
        // The error that matters is the one that made us close everything.
      }
    }
  }
}
