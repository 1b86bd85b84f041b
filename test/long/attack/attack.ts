/** Where an attack goes, and when it is over. */
export interface Target {
  /** `host:port` of OTLP over HTTP. */
  readonly http: string;
  readonly grpc: string;
  readonly admin: string;
  /** How long the attack lasts, from its first request on. */
  readonly seconds: number;
}

export interface Attacked {
  readonly requests: number;
  /** What was answered otherwise than it should have been; empty when all was well. */
  readonly wrong: readonly string[];
}

/** One way to harm a collector. It is run in a process of its own. */
export interface Attack {
  /** What is tried. */
  readonly name: string;
  /** Runs for at least so long by itself: what it does shows later. */
  readonly leastSeconds?: number;
  run(target: Target): Promise<Attacked>;
}

/** Runs `one` again and again in `lanes` at a time until the time is over, and counts. */
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
