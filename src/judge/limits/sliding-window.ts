/** An amount booked at a time. */
export interface Booking {
  readonly at: number;
  readonly amount: number;
}

/** Sums amounts over the last `spanMs` milliseconds. Times must not go backwards. */
export interface SlidingWindow {
  sum(now: number): number;
  book(now: number, amount: number): Booking;
  /** Replaces a booking's amount, if it still counts. */
  correct(booking: Booking, amount: number): void;
  /** Milliseconds until `amount` more fits under `limit`; 0 when it does, or when nothing is booked: it never would. */
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
