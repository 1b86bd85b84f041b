/**
 * Collects close functions of resources as the resources are opened. If a later resource cannot be opened, `run` closes the earlier ones.
 */
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
        // An error while closing is ignored, because the caller reports the first error, which is why it closes the resources.
      }
    }
  }
}
