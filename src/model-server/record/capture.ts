import type { OmittedContents } from "./omitted-contents.ts";

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
  #givenUp: OmittedContents | null = null;

  constructor(budget: CaptureBudget, mostBytes: number) {
    this.#budget = budget;
    this.#mostBytes = mostBytes;
  }

  add(chunk: Uint8Array): void {
    if (this.#givenUp !== null) return;
    if (this.#bytes + chunk.length > this.#mostBytes) this.#giveUp("body_too_large");
    else if (!this.#budget.take(chunk.length)) this.#giveUp("no_memory");
    else {
      this.#bytes += chunk.length;
      this.#chunks.push(chunk);
    }
  }

  #giveUp(reason: OmittedContents): void {
    this.release();
    this.#givenUp = reason;
  }

  /** Why the body is not copied; null while it is. */
  get givenUp(): OmittedContents | null {
    return this.#givenUp;
  }

  get isEmpty(): boolean {
    return this.#bytes === 0;
  }

  /** What was copied. */
  get body(): Buffer {
    return Buffer.concat(this.#chunks);
  }

  release(): void {
    this.#budget.release(this.#bytes);
    this.#bytes = 0;
    this.#chunks = [];
  }
}
