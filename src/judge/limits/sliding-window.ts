/** An amount and the time when it was added, in milliseconds. */
export interface Booking {
  readonly at: number;
  amount: number;
}

/** Sums amounts over the last `spanMs` milliseconds. Callers pass times in ascending order. */
export class SlidingWindow {
  readonly #spanMs: number;
  readonly #bookings = new Set<Booking>();
  #total = 0;

  constructor(spanMs: number) {
    this.#spanMs = spanMs;
  }

  sum(now: number): number {
    this.#expire(now);
    return this.#total;
  }

  book(now: number, amount: number): Booking {
    const booking = { at: now, amount };
    this.#bookings.add(booking);
    this.#total += amount;
    return booking;
  }

  /** Changes the amount of a booking that is still in the window. */
  correct(booking: Booking, amount: number): void {
    if (!this.#bookings.has(booking)) return;
    this.#total += amount - booking.amount;
    booking.amount = amount;
  }

  /**
   * Returns the milliseconds until `amount` fits under `limit`. Returns 0 if it fits now. Also returns 0 if the window is empty, because
   * then waiting would not help.
   */
  waitFor(now: number, amount: number, limit: number): number {
    let over = this.sum(now) + amount - limit;
    let until = now;
    for (const it of this.#bookings) {
      if (over <= 0) break;
      over -= it.amount;
      until = it.at + this.#spanMs;
    }
    return until - now;
  }

  #expire(now: number): void {
    for (const it of this.#bookings) {
      if (it.at > now - this.#spanMs) return;
      this.#bookings.delete(it);
      this.#total -= it.amount;
    }
    this.#total = 0;
  }
}
