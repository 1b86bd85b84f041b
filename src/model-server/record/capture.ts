import type { OmittedContents } from "./omitted-contents.ts";

/** Memory budget for copies of all bodies in transit. */
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

/** Copy of a forwarded body. A copy that grows too large is dropped; the body is still forwarded. */
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

  /** Reason why the body is not copied; null while it is copied. */
  get givenUp(): OmittedContents | null {
    return this.#givenUp;
  }

  get isEmpty(): boolean {
    return this.#bytes === 0;
  }

  /** The copied bytes. */
  get body(): Buffer {
    return Buffer.concat(this.#chunks);
  }

  release(): void {
    this.#budget.release(this.#bytes);
    this.#bytes = 0;
    this.#chunks = [];
  }
}
