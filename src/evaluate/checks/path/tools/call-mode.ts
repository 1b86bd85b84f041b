import { z } from "zod";
import { canonicalJson } from "../../../../support/structures/canonical-json.ts";
import {
  type BareMode,
  bareModes,
  type PlainMode,
  plainModes,
  resolveMode,
} from "../../../metrics/match-mode.ts";
import { mismatch } from "../../../metrics/mismatch.ts";
import { argumentsOf, type ComparedCall } from "../../../metrics/tool-call-accuracy.ts";
import type { Reason } from "../../../../model/verdict.ts";
import { pass, violated } from "../../../result/finding.ts";
import { together } from "../../../result/reasons.ts";
import { arrows } from "../../../rules/text.ts";
import { type CheckContext, defineQualifier, type Finding } from "../../check.ts";
import { callsSideBySide, differingCalls } from "./calls-side-by-side.ts";
import { allToolSpans } from "./tool-evidence.ts";

export interface ExpectedCall extends ComparedCall {
  readonly with_previous?: boolean;
}

export const callMode = defineQualifier({
  key: "call_mode",
  summary: "Mode in which `expected_tool_calls` compares whole calls, by name and arguments.",
  details:
    "Calls are equal if their names and all their arguments are equal. With `call_mode`, `tool_call_accuracy` is skipped, or evaluated separately if it sets `min`. See *Modes*. (ADK's `tool_trajectory_avg_score`, agentevals' trajectory match)",
  limit: z.enum([...plainModes, ...bareModes]),
  needs: ["expected_tool_calls"],
});

/** Returns the `call_mode` of the path layer, resolved for the preset; undefined if it is not set. */
export function callModeOf({ settings, preset }: CheckContext): PlainMode | undefined {
  const written = settings["call_mode"];
  return typeof written === "string" ? resolveMode(written as PlainMode | BareMode, preset) : undefined;
}

/**
 * Compares calls by name, then by arguments if all names match.
 * @param withoutArguments finding if the names match and arguments were not captured; undefined if all arguments are known
 */
export function compareCalls(
  context: CheckContext,
  expected: readonly ExpectedCall[],
  mode: PlainMode,
  withoutArguments: Finding | undefined,
): Finding {
  const { used } = context.metrics;
  const groups = groupsOf(expected, mode);
  const differ = (textOf: (call: ComparedCall) => string) => {
    const wanted = expected.map(textOf);
    return mismatch(mode, inGroups(used.map(textOf), wanted, groups), wanted);
  };
  const wrongNames = differ(({ name }) => name ?? "");
  if (wrongNames !== undefined) {
    const message = `not ${mode}: ${wrongNames.reason}; expected ${arrowsOf(expected)}, happened ${arrowsOf(used)}`;
    const { final, reasons } = wrongNames;
    return violated(false, message, { ...allToolSpans(context), final, reasons: together(reasons) });
  }
  if (withoutArguments !== undefined) return withoutArguments;
  const wrong = differ(callText);
  if (wrong === undefined) return pass(true, `the calls match (${mode})`);
  const differing = differingCalls(expected, used);
  const message = `not ${mode}: the arguments differ${callsSideBySide(differing)}`;
  return violated(false, message, {
    ...allToolSpans(context),
    final: wrong.final,
    reasons: together(differing, wrong.reasons),
    faults: argumentFaults(differing, wrong.reasons),
  });
}

/**
 * Returns a text for each violation: reason code and expected call. For an unexpected call, the text contains the tool's name instead of
 * the call, because the arguments of unexpected calls differ from run to run.
 */
function argumentFaults(differing: readonly Reason[], others: readonly Reason[]): readonly string[] {
  const named = differing.length > 0 ? differing : others;
  return [...new Set(named.map(({ code, expected, actual }) => `${code} ${expected ?? nameIn(actual)}`))];
}

function nameIn(call: string | null): string {
  return call?.split("(", 1)[0] ?? "";
}

function callText(call: ComparedCall): string {
  return `${call.name ?? ""}(${canonicalJson(argumentsOf(call))})`;
}

function arrowsOf(calls: readonly ComparedCall[]): string {
  return arrows(calls.map(({ name }) => name ?? "(unnamed)"));
}

/**
 * Returns the start and end indices of groups of expected calls whose order is free (`with_previous`). Empty unless the mode is
 * `same-order`.
 */
function groupsOf(
  expected: readonly ExpectedCall[],
  mode: PlainMode,
): readonly (readonly [number, number])[] {
  if (mode !== "same-order") return [];
  const starts = expected.flatMap((call, at) => (at === 0 || call.with_previous !== true ? [at] : []));
  return starts.map((start, at) => [start, starts[at + 1] ?? expected.length] as const);
}

/** Returns the actual calls as texts, reordered within each group to match the expected calls. */
function inGroups(
  texts: readonly string[],
  wanted: readonly string[],
  groups: readonly (readonly [number, number])[],
): readonly string[] {
  const ordered = [...texts];
  for (const [start, end] of groups) {
    const free = texts.slice(start, end);
    const placed = wanted.slice(start, start + free.length).map((text) => {
      const at = free.indexOf(text);
      return at === -1 ? undefined : free.splice(at, 1)[0];
    });
    for (const [at, text] of placed.entries()) ordered[start + at] = text ?? free.shift() ?? "";
  }
  return ordered;
}
