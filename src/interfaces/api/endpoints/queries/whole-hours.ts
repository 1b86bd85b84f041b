const HOUR_MS = 3_600_000;

interface Times {
  readonly since: number;
  readonly until: number;
}

/** Extends a period in Unix milliseconds to whole hours, because verdicts are counted by hour. */
export function wholeHours({ since, until }: Times): Times {
  return {
    since: Math.floor(since / HOUR_MS) * HOUR_MS,
    until: Math.ceil(until / HOUR_MS) * HOUR_MS,
  };
}
