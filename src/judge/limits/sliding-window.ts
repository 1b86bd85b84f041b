/** An amount and the time when it was added, in milliseconds. */
export interface Booking {
  readonly at: number;
  readonly amount: number;
}

/** Sums amounts over the last `spanMs` milliseconds. Callers pass times in ascending order. */
export interface SlidingWindow {
  sum(now: number): number;
  book(now: number, amount: number): Booking;
  /** Changes the amount of a booking that is still in the window. */
  correct(booking: Booking, amount: number): void;
  /**
   * Returns the milliseconds until `amount` fits under `limit`. 0 if it fits now, or if the window is empty, because waiting would not
   * help.
   */
  waitFor(now: number, amount: number, limit: number): number;
}

export function slidingWindow(spanMs: number): SlidingWindow {
  const bookings = new Set<{ readonly at: number; amount: number }>();
  let total = 0;
  const expire = (now: number): void => {
    for (const it of bookings) {
      if (it.at > now - spanMs) return;
      bookings.delete(it);
      total -= it.amount;
    }
    total = 0;
  };
  return {
    sum: (now) => {
      expire(now);
      return total;
    },
    book: (now, amount) => {
      const booking = { at: now, amount };
      bookings.add(booking);
      total += amount;
      return booking;
    },
    correct: (booking, amount) => {
      const mine = booking as { readonly at: number; amount: number };
      if (!bookings.has(mine)) return;
      total += amount - mine.amount;
      mine.amount = amount;
    },
    waitFor: (now, amount, limit) => {
      expire(now);
      let over = total + amount - limit;
      let until = now;
      for (const it of bookings) {
        if (over <= 0) break;
        over -= it.amount;
        until = it.at + spanMs;
      }
      return until - now;
    },
  };
}
