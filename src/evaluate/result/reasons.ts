import type { Reason, ReasonCode } from "../../model/verdict.ts";
import { nearMiss } from "../rules/fold-name.ts";
import { short } from "../rules/text.ts";

/** A run can have thousands of faulty calls; a verdict lists the first few. */
const MOST_REASONS = 16;

type Names = readonly (string | null)[];

export function reason(
  code: ReasonCode,
  { step = null, expected = null, actual = null }: Partial<Omit<Reason, "code">> = {},
): Reason {
  return { code, step, expected: expected && short(expected), actual: actual && short(actual) };
}

/** Expected tools that were not called: missing, or called by a name that differs in case and separators only. */
export function missingTools(expected: readonly string[], called: Names): readonly Reason[] {
  const absent = expected.filter((name, at) => expected.indexOf(name) === at && !called.includes(name));
  return absent.slice(0, MOST_REASONS).map((name) => {
    const near = nearMiss(name, called);
    return near === undefined
      ? reason("TOOL_MISSING", { expected: name })
      : reason("TOOL_NAME_MISMATCH", { step: called.indexOf(near) + 1, expected: name, actual: near });
  });
}

/** Tools that were called and not expected, each where it was called first. */
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

/** The first few of several lists. */
export function together(...lists: readonly (readonly Reason[])[]): readonly Reason[] {
  return lists.flat().slice(0, MOST_REASONS);
}
