import type { Reason, ReasonCode } from "../../model/verdict.ts";
import { nearMiss } from "../rules/fold-name.ts";
import { short } from "../rules/text.ts";

/** Maximum number of reasons in a verdict. A run can have thousands of wrong calls. */
const MOST_REASONS = 16;

type Names = readonly (string | null)[];

export function reason(
  code: ReasonCode,
  { step = null, expected = null, actual = null }: Partial<Omit<Reason, "code">> = {},
): Reason {
  return { code, step, expected: expected && short(expected), actual: actual && short(actual) };
}

/**
 * Returns a reason for each expected tool that was not called. If a called tool's name differs only in case and separators, the reason
 * names it.
 */
export function missingTools(expected: readonly string[], called: Names): readonly Reason[] {
  const absent = expected.filter((name, at) => expected.indexOf(name) === at && !called.includes(name));
  return absent.slice(0, MOST_REASONS).map((name) => {
    const near = nearMiss(name, called);
    return near === undefined
      ? reason("TOOL_MISSING", { expected: name })
      : reason("TOOL_NAME_MISMATCH", { step: called.indexOf(near) + 1, expected: name, actual: near });
  });
}

/** Returns a reason for each called tool that was not expected, with the step of its first call. */
export function unexpectedTools(expected: readonly string[], called: Names): readonly Reason[] {
  const seen = new Set<string>(expected);
  const found: Reason[] = [];
  for (let at = 0; at < called.length && found.length < MOST_REASONS; at++) {
    const name = called[at] ?? null;
    if (name === null || seen.has(name)) continue;
    seen.add(name);
    found.push(reason("TOOL_UNEXPECTED", { step: at + 1, actual: name }));
  }
  return found;
}

/** Returns the first `MOST_REASONS` of several lists of reasons. */
export function together(...lists: readonly (readonly Reason[])[]): readonly Reason[] {
  return lists.flat().slice(0, MOST_REASONS);
}
