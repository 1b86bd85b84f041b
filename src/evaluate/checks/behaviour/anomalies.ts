import type { ToolCall } from "../../../model/run.ts";
import { deepEqual } from "../../metrics/sequences/deep-equal.ts";
import { count, listed, short } from "../../rules/text.ts";

/** One anomaly in the behaviour of a run, found from its tool calls and expected steps, not from the answer. */
export interface Anomaly {
  readonly pattern:
    "tool_loop" | "progress_stall" | "brittle_recovery" | "excessive_retries" | "skipped_steps";
  readonly description: string;
  /** Indices into the run's tool calls, from 0. */
  readonly calls: readonly number[];
}

const LOOP = 3;
const STALL = 5;
const SAME_RETRIES = 2;
const RETRIES = 5;

/**
 * Finds the behaviour anomalies that EvalView defines. `tool_loop`: 3 or more equal calls in a row. `progress_stall`: 5 or more calls in a
 * row of tools that were called before. `brittle_recovery`: 2 or more unchanged repetitions of a failed call. `excessive_retries`: 5 or
 * more calls of one tool. `skipped_steps`: expected steps are missing. Calls whose arguments were not captured equal no other call, so that
 * only anomalies that are certain are returned.
 * @param open names of the expected steps that are missing
 */
export function anomaliesOf(calls: readonly ToolCall[], open: readonly string[]): readonly Anomaly[] {
  const runs = equalRuns(calls);
  return [
    ...runs.filter(({ length }) => length >= LOOP).map(loop),
    ...stalls(calls),
    ...runs.flatMap((run) => brittle(calls, run)),
    ...excessive(calls),
    ...(open.length === 0
      ? []
      : [
          {
            pattern: "skipped_steps",
            description: `expected steps missing: ${listed(open)}`,
            calls: [],
          } as const,
        ]),
  ];
}

/** Whether arguments that were not captured may hide anomalies: those of adjacent calls of one tool. */
export function hidesAnomalies(calls: readonly ToolCall[]): boolean {
  return calls.some((call, at) => {
    const before = calls[at - 1];
    const isSameTool = before !== undefined && call.name !== null && call.name === before.name;
    return isSameTool && (call.arguments === undefined || before.arguments === undefined);
  });
}

interface EqualRun {
  readonly name: string;
  readonly from: number;
  readonly length: number;
}

/**
 * Divides the calls into the longest possible sequences of adjacent calls of one tool with equal arguments; a sequence can be one call.
 */
function equalRuns(calls: readonly ToolCall[]): readonly EqualRun[] {
  const runs: EqualRun[] = [];
  let from = 0;
  for (let at = 1; at <= calls.length; at++) {
    const [before, call] = [calls[at - 1], calls[at]];
    const [given, givenBefore] = [call?.arguments, before?.arguments];
    const isSameTool = call !== undefined && call.name !== null && call.name === before?.name;
    if (isSameTool && given !== undefined && givenBefore !== undefined && deepEqual(given, givenBefore))
      continue;
    if (before !== undefined && before.name !== null)
      runs.push({ name: before.name, from, length: at - from });
    from = at;
  }
  return runs;
}

function loop({ name, from, length }: EqualRun): Anomaly {
  const description = `${short(name)} ${length} times in a row with the same arguments`;
  return { pattern: "tool_loop", description, calls: span(from, length) };
}

function stalls(calls: readonly ToolCall[]): readonly Anomaly[] {
  const found: Anomaly[] = [];
  const seen = new Set<string | null>();
  let from = 0;
  for (let at = 0; at <= calls.length; at++) {
    const name = calls[at]?.name ?? null;
    if (at < calls.length && name !== null && seen.has(name)) continue;
    if (at - from >= STALL) {
      const description = `${count(at - from, "call")} in a row of tools that were called before`;
      found.push({ pattern: "progress_stall", description, calls: span(from, at - from) });
    }
    seen.add(name);
    from = at + 1;
  }
  return found;
}

/**
 * Returns the `brittle_recovery` anomaly of a sequence of equal calls if two or more calls follow the first failed call, otherwise an empty
 * list.
 */
function brittle(calls: readonly ToolCall[], { name, from, length }: EqualRun): readonly Anomaly[] {
  const places = span(from, length);
  const failed = places.find((at) => calls[at]?.error !== null);
  if (failed === undefined) return [];
  const retries = from + length - 1 - failed;
  if (retries < SAME_RETRIES) return [];
  const description = `${short(name)} failed and was repeated ${retries} times with the same arguments`;
  return [{ pattern: "brittle_recovery", description, calls: span(failed, retries + 1) }];
}

function excessive(calls: readonly ToolCall[]): readonly Anomaly[] {
  const byName = new Map<string, number[]>();
  calls.forEach(({ name }, at) => {
    if (name === null) return;
    const places = byName.get(name);
    if (places === undefined) byName.set(name, [at]);
    else places.push(at);
  });
  return [...byName].flatMap(([name, places]) => {
    if (places.length < RETRIES) return [];
    const failed = places.filter((at) => calls[at]?.error !== null).length;
    const description = `${short(name)} was called ${places.length} times; ${failed} of these calls failed`;
    return [{ pattern: "excessive_retries", description, calls: places } as const];
  });
}

function span(from: number, length: number): readonly number[] {
  return Array.from({ length }, (_, index) => from + index);
}
