import { conclude, type Result } from "../harness/result.ts";
import type { Took } from "./program.ts";

export interface Pair {
  readonly ours: Took;
  readonly theirs: Took;
}

/** Both sides in turn, each as a whole process; every other round the other side begins. */
export async function inRounds(
  rounds: number,
  sides: Readonly<Record<keyof Pair, () => Promise<Took>>>,
): Promise<Pair[]> {
  const pairs: Pair[] = [];
  for (let round = 0; round < rounds; round++) {
    if (round % 2 === 0) {
      const ours = await sides.ours();
      pairs.push({ ours, theirs: await sides.theirs() });
    } else {
      const theirs = await sides.theirs();
      pairs.push({ ours: await sides.ours(), theirs });
    }
  }
  return pairs;
}

export interface About {
  /** Name of the figure; the one of memory has `.memory` behind it. */
  readonly name: string;
  /** What was run, in words. */
  readonly what: string;
  readonly runs: number;
}

/** CPU a run and the most memory, ours divided by theirs, round by round. */
export function figuresOf({ name, what, runs }: About, pairs: readonly Pair[]): Result[] {
  const ratio = (of: (took: Took) => number): number[] =>
    pairs.map(({ ours, theirs }) => of(ours) / of(theirs));
  const middle = (side: keyof Pair, of: (took: Took) => number): number =>
    conclude(
      { name, what },
      pairs.map((pair) => of(pair[side])),
    ).value;
  const both = (of: (took: Took) => number, unit: string): string =>
    `${shown(middle("ours", of))} ${unit} / ${shown(middle("theirs", of))} ${unit}`;
  const cpu = ({ cpu }: Took): number => cpu / runs;
  const peak = ({ peak }: Took): number => peak;
  const told = [conclude({ name, what: `CPU a run, ${what}: ours ${both(cpu, "ms")}` }, ratio(cpu))];
  if (pairs.some((pair) => Number.isNaN(pair.ours.peak + pair.theirs.peak))) return told;
  const memory = { name: `${name}.memory`, what: `most resident memory, ${what}: ours ${both(peak, "MiB")}` };
  return [...told, conclude(memory, ratio(peak))];
}

function shown(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toPrecision(2);
}
