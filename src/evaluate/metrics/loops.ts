import type { JsonValue } from "../../model/json.ts";
import { deepEqual } from "./sequences/deep-equal.ts";

/**
 * Returns AgentCI's loop count: the number of positions i > 0 with P[i] = P[i−1]. A, B, A, B has 0 loops (see `longestCycle`). A call
 * without a name equals no other call.
 */
export function adjacentRepeats(names: readonly (string | null)[]): number {
  let repeats = 0;
  for (let at = 1; at < names.length; at++) {
    if (names[at] !== null && names[at] === names[at - 1]) repeats++;
  }
  return repeats;
}

/** Returns the greatest possible loop count: an unknown name counts as equal to its neighbours. */
export function adjacentRepeatsAtMost(names: readonly (string | null)[]): number {
  let repeats = 0;
  for (let at = 1; at < names.length; at++) {
    if (names[at] === null || names[at - 1] === null || names[at] === names[at - 1]) repeats++;
  }
  return repeats;
}

export interface CallShape {
  readonly name: string | null;
  readonly arguments: JsonValue | undefined;
}

/**
 * Returns the number of sequences of three or more adjacent calls of one tool with equal arguments (EvalView's "tool loop with same
 * arguments"). Arguments that were not captured equal nothing.
 */
export function sameArgumentLoops(calls: readonly CallShape[]): number {
  let loops = 0;
  let length = 1;
  for (let at = 1; at <= calls.length; at++) {
    const call = calls[at];
    const before = calls[at - 1];
    if (call !== undefined && before !== undefined && sameCall(before, call)) {
      length++;
      continue;
    }
    if (length >= 3) loops++;
    length = 1;
  }
  return loops;
}

function sameCall(a: CallShape, b: CallShape): boolean {
  if (a.name === null || a.name !== b.name) return false;
  const left = a.arguments;
  const right = b.arguments;
  return left !== undefined && right !== undefined && deepEqual(left, right);
}

/** Maximum length of a cycle, in calls. */
const LONGEST_PERIOD = 8;

export interface Cycle {
  readonly tools: readonly string[];
  /** Number of complete repetitions, at least 2. */
  readonly turns: number;
}

/**
 * Returns the cycle of 2 to 8 calls, of at least two tools, whose repetitions in a row cover the most calls: A, B, A, B, A, B is the cycle
 * [A, B] with 3 repetitions. Undefined without a cycle. Takes linear time.
 */
export function longestCycle(names: readonly (string | null)[]): Cycle | undefined {
  let best: Cycle | undefined;
  for (let period = 2; period <= LONGEST_PERIOD && period * 2 <= names.length; period++) {
    let matched = 0;
    for (let at = period; at <= names.length; at++) {
      if (at < names.length && names[at] !== null && names[at] === names[at - period]) {
        matched++;
        continue;
      }
      const turns = Math.floor(matched / period) + 1;
      if (matched >= period && turns * period > (best === undefined ? 0 : best.turns * best.tools.length)) {
        const block = names.slice(at - matched - period, at - matched);
        if (isCycle(block)) best = { tools: block, turns };
      }
      matched = 0;
    }
  }
  return best;
}

function isCycle(block: readonly (string | null)[]): block is readonly string[] {
  return block.every((name) => name !== null) && block.some((name) => name !== block[0]);
}
