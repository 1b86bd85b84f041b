const HOUR_MS = 3_600_000;

interface Times {
  readonly since: number;
  readonly until: number;
}

/** Extends a period to whole hours, in Unix milliseconds, so that it matches the hourly sums of queries. */
export function wholeHours({ since, until }: Times): Times {
  return {
    since: Math.floor(since / HOUR_MS) * HOUR_MS,
    until: Math.ceil(until / HOUR_MS) * HOUR_MS,
  };
}
