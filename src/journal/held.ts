import type { Position } from "./journal.ts";

/** A record that several traces need. */
export class Held {
  readonly position: Position;
  readonly #release: (position: Position) => void;
  #holders: number;

  constructor(position: Position, holders: number, release: (position: Position) => void) {
    this.position = position;
    this.#holders = holders;
    this.#release = release;
    if (holders === 0) release(position);
  }

  /** One of them does not need it any more. */
  drop(): void {
    if (--this.#holders === 0) this.#release(this.position);
  }
}
