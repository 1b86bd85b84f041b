/** A random number from 0 to 1. */
export type Random = () => number;

/** A whole number below `end`. */
export function below(end: number, random: Random): number {
  return Math.floor(random() * end);
}

export function oneOf<One>(all: readonly [One, ...One[]], random: Random): One {
  return all[below(all.length, random)] ?? all[0];
}
