/** Outcomes in order of precedence: the combined outcome of several checks or layers is the one that comes first in this list. */
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

export function worse(one: Outcome, other: Outcome): Outcome {
  return ranks[other] < ranks[one] ? other : one;
}

/** Returns the combined outcome of several parts; `skip` if there are no parts. */
export function worst(parts: Iterable<Outcome>): Outcome {
  let found: Outcome = "skip";
  for (const part of parts) found = worse(found, part);
  return found;
}

/** Whether the outcome of a check or layer is neither `pass` nor `skip`. */
export function isUnmet({ outcome }: { readonly outcome: Outcome }): boolean {
  return outcome !== "pass" && outcome !== "skip";
}

/** Returns an object with the result of `make` for each layer. */
export function byLayer<Made>(make: (layer: Layer) => Made): Readonly<Record<Layer, Made>> {
  return { correctness: make("correctness"), path: make("path"), cost: make("cost") };
}

/** Returns the checks of all layers, in the order of `layers`. */
export function checksOf<Check>(of: {
  readonly layers: Readonly<Record<Layer, { readonly checks: readonly Check[] }>>;
}): readonly Check[] {
  return layers.flatMap((layer) => of.layers[layer].checks);
}
