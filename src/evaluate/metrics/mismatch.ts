import { countsOf } from "../../support/structures/group-by.ts";
import type { Reason } from "../../model/verdict.ts";
import { missingTools as missingReasons, reason, unexpectedTools } from "../result/reasons.ts";
import type { PlainMode } from "./match-mode.ts";

/** How a run's tools differ from the reference. */
export interface Mismatch {
  /** Message with the step, the expected and the actual value. */
  readonly reason: string;
  /** The differences in `reason`, as reason codes. */
  readonly reasons: readonly Reason[];
  /** True if calls that the telemetry may lack cannot undo the mismatch. */
  readonly final: boolean;
}

/**
 * Compares the called tools (P, in order) with the reference (R). Undefined if the tools match the reference. `same-order` and
 * `contains-in-order` compare sequences, modes with `-calls` count repeats, and all other modes compare sets. A match in `same-order` also
 * matches in `same-calls`, `same-tools` and `contains`.
 */
export function mismatch(
  mode: PlainMode,
  used: readonly string[],
  reference: readonly string[],
): Mismatch | undefined {
  switch (mode) {
    case "same-order":
      return differentOrder(used, reference);
    case "same-calls":
      return missingCalls(used, reference) ?? extraCalls(used, reference);
    case "same-tools":
      return missingTools(used, reference) ?? extraTools(used, reference);
    case "contains":
      return missingTools(used, reference);
    case "contains-calls":
      return missingCalls(used, reference);
    case "contains-in-order":
      return outOfOrder(used, reference);
    case "only-allowed":
      return extraTools(used, reference);
    case "only-allowed-calls":
      return extraCalls(used, reference);
  }
}

function differentOrder(used: readonly string[], reference: readonly string[]): Mismatch | undefined {
  const end = Math.max(used.length, reference.length);
  for (let at = 0; at < end; at++) {
    const expected = reference[at];
    const happened = used[at];
    if (expected === happened) continue;
    const step = `step ${at + 1}`;
    const reasons = orderReasons(used, reference, at);
    if (expected === undefined)
      return final(`${step}: nothing more was expected, ${happened} was called`, reasons);
    if (happened === undefined) return open(`${step}: ${expected} was expected, the run ended`, reasons);
    return open(`${step}: ${expected} was expected, ${happened} was called`, reasons);
  }
  return undefined;
}

function orderReasons(used: readonly string[], reference: readonly string[], at: number): readonly Reason[] {
  const [expected, actual] = [String(reference.length), String(used.length)];
  const length =
    used.length === reference.length ? [] : [reason("SEQUENCE_LENGTH_MISMATCH", { expected, actual })];
  const parted = {
    step: at < used.length ? at + 1 : null,
    expected: reference[at] ?? null,
    actual: used[at] ?? null,
  };
  return [reason("SEQUENCE_ORDER_VIOLATION", parted), ...length];
}

function outOfOrder(used: readonly string[], reference: readonly string[]): Mismatch | undefined {
  let at = 0;
  for (let step = 0; step < reference.length; step++) {
    const expected = reference[step] as string;
    const found = used.indexOf(expected, at);
    if (found === -1) {
      const code = used.includes(expected) ? "SEQUENCE_ORDER_VIOLATION" : "SEQUENCE_TOOL_NOT_FOUND";
      return open(notInOrder(expected, reference[step - 1], used), [reason(code, { expected })]);
    }
    at = found + 1;
  }
  return undefined;
}

function notInOrder(expected: string, before: string | undefined, used: readonly string[]): string {
  if (!used.includes(expected)) return `${expected} was never called`;
  return before === undefined ? `${expected} was not called` : `${expected} was not called after ${before}`;
}

function missingTools(used: readonly string[], reference: readonly string[]): Mismatch | undefined {
  const absent = distinct(reference.filter((name) => !used.includes(name)));
  if (absent.length === 0) return undefined;
  return open(`${listed(absent)} ${was(absent)} never called`, missingReasons(reference, used));
}

function extraTools(used: readonly string[], reference: readonly string[]): Mismatch | undefined {
  const extra = distinct(used.filter((name) => !reference.includes(name)));
  if (extra.length === 0) return undefined;
  return final(`${listed(extra)} ${was(extra)} called and not expected`, unexpectedTools(reference, used));
}

function missingCalls(used: readonly string[], reference: readonly string[]): Mismatch | undefined {
  const short = surplus(reference, used);
  if (short === undefined) return undefined;
  const reasons = [reason("SEQUENCE_MISSING_TOOLS", { expected: short.name })];
  return open(`${times(short)} expected, called ${short.other}`, reasons);
}

function extraCalls(used: readonly string[], reference: readonly string[]): Mismatch | undefined {
  const over = surplus(used, reference);
  if (over === undefined) return undefined;
  const reasons = [reason("TOOL_UNEXPECTED", { actual: over.name })];
  return final(`${times(over)} called, at most ${over.other} expected`, reasons);
}

interface Surplus {
  readonly name: string;
  readonly count: number;
  readonly other: number;
}

/** Returns the first name that occurs more often in `more` than in `fewer`; undefined if there is none. */
function surplus(more: readonly string[], fewer: readonly string[]): Surplus | undefined {
  const left = countsOf(fewer);
  const counts = countsOf(more);
  for (const [name, count] of counts) {
    const other = left.get(name) ?? 0;
    if (count > other) return { name, count, other };
  }
  return undefined;
}

function times(of: Surplus): string {
  return `${of.name} ${of.count === 1 ? "once" : `${of.count} times`}`;
}

function distinct(names: readonly string[]): readonly string[] {
  return [...new Set(names)];
}

function listed(names: readonly string[]): string {
  return names.join(", ");
}

function was(names: readonly string[]): string {
  return names.length === 1 ? "was" : "were";
}

function open(reason: string, reasons: readonly Reason[]): Mismatch {
  return { reason, reasons, final: false };
}

function final(reason: string, reasons: readonly Reason[]): Mismatch {
  return { reason, reasons, final: true };
}
