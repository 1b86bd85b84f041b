/** What copies of bodies in transit may take together. */
export class CaptureBudget {
  #taken = 0;
  readonly #bytes: number;

  constructor(bytes: number) {
    this.#bytes = bytes;
  }

  get takenBytes(): number {
    return this.#taken;
  }

  take(bytes: number): boolean {
    if (this.#taken + bytes > this.#bytes) return false;
    this.#taken += bytes;
    return true;
  }

  release(bytes: number): void {
    this.#taken -= bytes;
  }
}

/** The copy of a body that is passed on. One that grows too large is given up: the body itself goes on. */
export class Capture {
  readonly #budget: CaptureBudget;
  readonly #mostBytes: number;
  #chunks: Uint8Array[] = [];
  #bytes = 0;
  #isWhole = true;

  constructor(budget: CaptureBudget, mostBytes: number) {
    this.#budget = budget;
    this.#mostBytes = mostBytes;
  }

  add(chunk: Uint8Array): void {
    if (!this.#isWhole) return;
    if (this.#bytes + chunk.length > this.#mostBytes || !this.#budget.take(chunk.length)) {
      this.release();
      this.#isWhole = false;
      return;
    }
    this.#bytes += chunk.length;
    this.#chunks.push(chunk);
  }

  /** The body grew too large to copy. */
  get isGivenUp(): boolean {
    return !this.#isWhole;
  }

  /** Null when it was given up. */
  get body(): Buffer | null {
    return this.#isWhole ? Buffer.concat(this.#chunks) : null;
  }

  release(): void {
    this.#budget.release(this.#bytes);
    this.#bytes = 0;
    this.#chunks = [];
  }
}
