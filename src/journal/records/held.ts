/** A record that several traces need. The record is released when no trace needs it. */
export class Held<Place> {
  readonly position: Place;
  readonly #release: (position: Place) => void;
  #holders: number;

  constructor(position: Place, holders: number, release: (position: Place) => void) {
    this.position = position;
    this.#holders = holders;
    this.#release = release;
    if (holders === 0) release(position);
  }

  /** Called when one of the traces no longer needs the record. */
  drop(): void {
    if (--this.#holders === 0) this.#release(this.position);
  }
}
