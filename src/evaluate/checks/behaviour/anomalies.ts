import type { ToolCall } from "../../../model/run.ts";
import { deepEqual } from "../../metrics/sequences/deep-equal.ts";
import { count, listed, short } from "../../rules/text.ts";

/** Unusual behaviour of a run, which does not depend on the answer. */
export interface Anomaly {
  readonly pattern:
    "tool_loop" | "progress_stall" | "brittle_recovery" | "excessive_retries" | "skipped_steps";
  readonly said: string;
  /** Indices of the calls among the run's tool calls, from 0. */
  readonly calls: readonly number[];
}

const LOOP = 3;
const STALL = 5;
const SAME_RETRIES = 2;
const RETRIES = 5;

/**
 * Finds EvalView's behaviour anomalies. Tool loop: three or more equal calls in a row. Progress stall: five
 * or more calls in a row of tools used before. Brittle recovery: a failed call is repeated unchanged twice
 * or more. Excessive retries: a tool is called five times or more. Skipped steps: expected steps are
 * missing. Returns null if missing arguments leave the result open.
 * @param open names of the expected steps that are missing
 */
export function anomaliesOf(calls: readonly ToolCall[], open: readonly string[]): readonly Anomaly[] | null {
  const runs = equalRuns(calls);
  if (runs === null) return null;
  return [
    ...runs.filter(({ length }) => length >= LOOP).map(loop),
    ...stalls(calls),
    ...runs.flatMap((run) => brittle(calls, run)),
    ...excessive(calls),
    ...(open.length === 0
      ? []
      : [{ pattern: "skipped_steps", said: `${listed(open)} left out`, calls: [] } as const]),
  ];
}

interface EqualRun {
  readonly name: string;
  readonly from: number;
  readonly length: number;
}

/**
 * Returns maximal sequences of adjacent calls of one tool with equal arguments. Returns null if the deciding
 * arguments were not captured.
 */
function equalRuns(calls: readonly ToolCall[]): readonly EqualRun[] | null {
  const runs: EqualRun[] = [];
  let from = 0;
  for (let at = 1; at <= calls.length; at++) {
    const [before, call] = [calls[at - 1], calls[at]];
    if (call !== undefined && before !== undefined && call.name !== null && call.name === before.name) {
      if (call.arguments === undefined || before.arguments === undefined) return null;
      if (deepEqual(call.arguments, before.arguments)) continue;
    }
    if (before !== undefined && before.name !== null)
      runs.push({ name: before.name, from, length: at - from });
    from = at;
  }
  return runs;
}

function loop({ name, from, length }: EqualRun): Anomaly {
  const said = `${short(name)} ${length} times in a row with the same arguments`;
  return { pattern: "tool_loop", said, calls: span(from, length) };
}

function stalls(calls: readonly ToolCall[]): readonly Anomaly[] {
  const found: Anomaly[] = [];
  const seen = new Set<string | null>();
  let from = 0;
  for (let at = 0; at <= calls.length; at++) {
    const name = calls[at]?.name ?? null;
    if (at < calls.length && name !== null && seen.has(name)) continue;
    if (at - from >= STALL) {
      const said = `${count(at - from, "call")} in a row of tools used before`;
      found.push({ pattern: "progress_stall", said, calls: span(from, at - from) });
    }
    seen.add(name);
    from = at + 1;
  }
  return found;
}

/**
 * Returns the anomaly of a sequence of equal calls, if the first failed call is followed by two or more
 * calls. Returns an empty list for a sequence without the anomaly.
 */
function brittle(calls: readonly ToolCall[], { name, from, length }: EqualRun): readonly Anomaly[] {
  const places = span(from, length);
  const failed = places.find((at) => calls[at]?.error !== null);
  if (failed === undefined) return [];
  const retries = from + length - 1 - failed;
  if (retries < SAME_RETRIES) return [];
  const said = `${short(name)} failed and was called ${retries} times more with the same arguments`;
  return [{ pattern: "brittle_recovery", said, calls: span(failed, retries + 1) }];
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
    const said = `${short(name)} called ${places.length} times, ${failed} of them failed`;
    return [{ pattern: "excessive_retries", said, calls: places } as const];
  });
}

function span(from: number, length: number): readonly number[] {
  return Array.from({ length }, (_, index) => from + index);
}
