import { isAtLeast } from "../../../../support/structures/compare-limit.ts";
import { z } from "zod";
import { type CheckContext, defineCheck, type Finding } from "../../check.ts";
import { fraction } from "../../limit-check.ts";
import { incomplete, pass, skip, violated } from "../../../result/finding.ts";
import { nearMissHint } from "../../../rules/fold-name.ts";
import {
  type AccuracyRule,
  argumentsOf,
  type ComparedCall,
  toolCallAccuracy,
} from "../../../metrics/tool-call-accuracy.ts";
import { together } from "../../../result/reasons.ts";
import { expectedCalls } from "../../../rules/references.ts";
import { arrows, listed, share } from "../../../rules/text.ts";
import { callModeOf, compareCalls } from "./call-mode.ts";
import { callsSideBySide, differingCalls } from "./calls-side-by-side.ts";
import { allToolSpans, distinctNames, toolsHidden } from "./tool-evidence.ts";
import { jsonObject } from "../../../../support/structures/json-schema.ts";

const callText = z.strictObject({
  name: z.string().min(1),
  arguments: jsonObject.exactOptional(),
  with_previous: z.boolean().exactOptional(),
});

const ruleText = z.strictObject({
  variant: z.enum(["ragas-spring", "ragas-python"]).exactOptional(),
  mode: z.enum(["strict", "flexible"]).exactOptional(),
  argument_match_threshold: fraction.exactOptional(),
  min: fraction.exactOptional(),
});
type RuleText = z.infer<typeof ruleText>;

export const expectedToolCalls = defineCheck({
  key: "expected_tool_calls",
  layer: "path",
  metric: "tool_call_accuracy",
  summary: "The listed calls were made with the listed arguments, and by default no others.",
  details:
    "`call_mode` sets the comparison. Without `call_mode`, the `tool_call_accuracy` must be 1, or at least its `min`. An empty list requires that no tool was called. If a call of a listed tool has unknown arguments, the check is `incomplete`, unless the names of the called tools already violate the check. The message shows differing calls side by side. With `call_mode: same-order`, a call with `with_previous: true` may come before or after the previous call of the list.",
  limit: z.array(callText),
  evaluate(context, limit) {
    const mode = callModeOf(context);
    const expected = expectedCalls(context) ?? limit;
    if (mode !== undefined) {
      if (context.metrics.knownNames === null) return toolsHidden(context);
      return compareCalls(
        context,
        expected,
        mode,
        argumentsHidden(context, expected) ? hiddenArguments(context) : undefined,
      );
    }
    const rule = writtenRule(context);
    if (rule.min !== undefined) return skip("tool_call_accuracy decides", accuracyOf(context));
    return compare(context, expected, rule, 1);
  },
});

/** Check of the tool-call accuracy as defined by Spring AI RAGAS or, with `variant: ragas-python`, by Ragas (Python). */
export const toolCallAccuracyCheck = defineCheck({
  key: "tool_call_accuracy",
  layer: "path",
  summary: "The accuracy of the calls, compared with `expected_tool_calls`, is at least `min`.",
  details:
    "`variant: ragas-spring` (default) pairs as many actual and expected calls as possible, in any order. The accuracy is the F1 of the pairs, so additional calls lower the accuracy. The arguments of a pair are equal with `mode: strict` (default); with `mode: flexible`, the share `argument_match_threshold` (0.8) of the expected arguments is enough. `variant: ragas-python` needs the same tool names, in the same order unless `mode: flexible`; its accuracy is the mean share of equal arguments. If calls are expected and no tool was called, the accuracy is 0. Without `min`, this check is skipped, and `expected_tool_calls` decides.",
  limit: ruleText,
  needs: ["expected_tool_calls"],
  evaluate(context, limit) {
    const expected = expectedCalls(context);
    if (expected === null) return skip("the spec has no expected_tool_calls to compare with");
    if (limit.min === undefined)
      return skip("no `min` is set: the result of expected_tool_calls decides", accuracyOf(context));
    return compare(context, expected, limit, limit.min);
  },
});

function writtenRule(context: CheckContext): RuleText {
  const written = context.settings["tool_call_accuracy"];
  return typeof written === "object" && written !== null ? written : {};
}

function ruleOf(text: RuleText): AccuracyRule {
  return {
    variant: text.variant ?? "ragas-spring",
    mode: text.mode ?? "strict",
    argumentMatchThreshold: text.argument_match_threshold ?? 0.8,
  };
}

/**
 * Returns the tool-call accuracy, from 0 to 1, for the verdict's metrics. Null without expected calls, or if calls, names or arguments are
 * missing.
 */
export function accuracyOf(context: CheckContext): number | null {
  const expected = expectedCalls(context);
  if (expected === null || context.metrics.knownNames === null || argumentsHidden(context, expected))
    return null;
  return toolCallAccuracy(context.metrics.used, expected, ruleOf(writtenRule(context)));
}

function compare(
  context: CheckContext,
  expected: readonly ComparedCall[],
  rule: RuleText,
  min: number,
): Finding {
  if (context.metrics.knownNames === null) return toolsHidden(context);
  // If arguments are unknown, the names of the tools give the highest possible accuracy.
  const isHidden = argumentsHidden(context, expected);
  const [made, wanted] = [context.metrics.used, expected].map((calls) =>
    isHidden ? calls.map(({ name }) => ({ name })) : calls,
  ) as [readonly ComparedCall[], readonly ComparedCall[]];
  const value = toolCallAccuracy(made, wanted, ruleOf(rule));
  if (value === null) return noCallsExpected(context);
  const measure = `tool-call accuracy ${isHidden ? "at most " : ""}${share(value, min)}, at least ${share(min, value)} required`;
  if (isAtLeast(value, min)) return isHidden ? hiddenArguments(context) : pass(value, measure);
  const differing = differingCalls(wanted, made);
  const message = `${measure}: ${firstDifference(made, wanted)}${callsSideBySide(differing)}`;
  return violated(isHidden ? null : value, message, {
    ...allToolSpans(context),
    reasons: together(differing),
  });
}

/** Returns the finding for an empty list of expected calls, which requires that no tool was called. */
function noCallsExpected(context: CheckContext): Finding {
  const names = context.metrics.toolNames;
  if (names.length === 0) return pass(null, "no tool was called, as expected");
  const message = `no call was expected, but these calls happened: ${arrows(names)}`;
  return violated(null, message, { ...allToolSpans(context), faults: distinctNames(names) });
}

function hiddenArguments(context: CheckContext): Finding {
  return incomplete("tool_arguments", "the arguments of a call were not captured", context.run);
}

/** Whether the arguments of a call of an expected tool are unknown. */
function argumentsHidden(context: CheckContext, expected: readonly ComparedCall[]): boolean {
  return context.metrics.used.some(
    (call) => call.arguments === undefined && expected.some((wanted) => wanted.name === call.name),
  );
}

/**
 * Describes the first violation: an expected tool without a call, otherwise different arguments. Contains names of arguments but no values,
 * because values are content of the run.
 */
function firstDifference(made: readonly ComparedCall[], expected: readonly ComparedCall[]): string {
  const names = made.map(({ name }) => name);
  const absent = expected.flatMap(({ name }) => (name !== null && !names.includes(name) ? [name] : []));
  if (absent.length > 0) return `${absent[0]} was never called${nearMissHint(absent, names)}`;
  for (const wanted of expected) {
    const differing = differingArguments(made, wanted);
    if (differing !== undefined) return `${wanted.name} was never called with the expected ${differing}`;
  }
  const further = furtherArguments(made, expected);
  const besides =
    further === undefined
      ? names.length > expected.length
        ? " (call_mode: contains-calls allows further calls)"
        : ""
      : `; ${further}, which the expected call does not have (to allow further arguments, use \`spans\` with \`includes\`)`;
  return `expected ${arrows(expected.map(({ name }) => name))}, happened ${arrows(names)}${besides}`;
}

/** Describes the first call of an expected tool with an argument that no expected call of this tool has; undefined if there is none. */
function furtherArguments(
  made: readonly ComparedCall[],
  expected: readonly ComparedCall[],
): string | undefined {
  for (const call of made) {
    const alike = expected.filter(({ name }) => name === call.name);
    const known = new Set(alike.flatMap((wanted) => argumentNames(wanted)));
    const further = argumentNames(call).filter((name) => !known.has(name));
    if (alike.length > 0 && further.length > 0)
      return `${call.name} was called with ${listed(further.map((name) => name || "a value"))}`;
  }
  return undefined;
}

function argumentNames(call: ComparedCall): readonly string[] {
  return Object.keys(argumentsOf(call));
}

/**
 * Returns the names of the arguments in which the most similar call of the tool differs; undefined if a call has all expected arguments, or
 * if the tool was not called.
 */
function differingArguments(made: readonly ComparedCall[], wanted: ComparedCall): string | undefined {
  let fewest: readonly string[] | undefined;
  const entries = Object.entries(argumentsOf(wanted));
  for (const call of made) {
    if (call.name !== wanted.name) continue;
    const given = argumentsOf(call);
    const differing = entries
      .filter(([name, value]) => JSON.stringify(given[name]) !== JSON.stringify(value))
      .map(([name]) => name);
    if (fewest === undefined || differing.length < fewest.length) fewest = differing;
  }
  return fewest === undefined || fewest.length === 0 ? undefined : fewest.join(", ");
}
