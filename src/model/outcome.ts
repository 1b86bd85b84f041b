/** In order of precedence: of several outcomes the first that occurs decides. */
export const outcomes = ["fail", "error", "incomplete", "warn", "pass", "skip"] as const;
export type Outcome = (typeof outcomes)[number];

export const layers = ["correctness", "path", "cost"] as const;
export type Layer = (typeof layers)[number];

/** The outcome of a whole from its parts; `skip` when there are none. */
export function worst(parts: Iterable<Outcome>): Outcome {
  let rank = outcomes.length - 1;
  for (const part of parts) rank = Math.min(rank, outcomes.indexOf(part));
  return outcomes[rank] ?? "skip";
}
