const HOUR_MS = 3_600_000;

interface Times {
  readonly since: number;
  readonly until: number;
}

/** The hours that a part of time touches: what is shown beside the sums of queries is of the same hours. Unix milliseconds. */
export function wholeHours({ since, until }: Times): Times {
  return {
    since: Math.floor(since / HOUR_MS) * HOUR_MS,
    until: Math.ceil(until / HOUR_MS) * HOUR_MS,
  };
}
