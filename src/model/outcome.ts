/** In order of precedence: of several outcomes the first that occurs decides. */
export const outcomes = ["fail", "error", "incomplete", "warn", "pass", "skip"] as const;
export type Outcome = (typeof outcomes)[number];

export const layers = ["correctness", "path", "cost"] as const;
export type Layer = (typeof layers)[number];

const ranks: Readonly<Record<Outcome, number>> = {
  fail: 0,
  error: 1,
  incomplete: 2,
  warn: 3,
  pass: 4,
  skip: 5,
};

/** Of two outcomes the one that takes precedence. */
export function worse(one: Outcome, other: Outcome): Outcome {
  return ranks[other] < ranks[one] ? other : one;
}

/** The outcome of a whole from its parts; `skip` when there are none. */
export function worst(parts: Iterable<Outcome>): Outcome {
  let found: Outcome = "skip";
  for (const part of parts) found = worse(found, part);
  return found;
}
