/** The attacked collector, and the duration of the attack. */
export interface Target {
  /** `host:port` for OTLP over HTTP. */
  readonly http: string;
  readonly grpc: string;
  readonly admin: string;
  /** Duration of the attack, from its first request. */
  readonly seconds: number;
}

export interface Attacked {
  readonly requests: number;
  /** Unexpected answers; empty if all were as expected. */
  readonly wrong: readonly string[];
}

/** One attack on a collector. It runs in its own process. */
export interface Attack {
  /** Short description. */
  readonly name: string;
  /** Minimum duration when the attack runs alone, for effects that come later. */
  readonly leastSeconds?: number;
  run(target: Target): Promise<Attacked>;
}

/** Runs `one` repeatedly, `lanes` calls at a time, until the time is over; counts the calls. */
export async function repeated(
  { seconds }: Target,
  lanes: number,
  one: (round: number) => Promise<string | null | void>,
): Promise<Attacked> {
  const until = performance.now() + seconds * 1000;
  let requests = 0;
  const wrong = new Set<string>();
  const lane = async (): Promise<void> => {
    while (performance.now() < until) {
      const trouble = await one(requests++);
      if (typeof trouble === "string" && wrong.size < 5) wrong.add(trouble);
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return { requests, wrong: [...wrong] };
}
