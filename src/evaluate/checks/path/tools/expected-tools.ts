import { isAtLeast } from "../../../../support/structures/compare-limit.ts";
import { z } from "zod";
import { writtenText } from "../../../../support/structures/json-schema.ts";
import {
  type CheckContext,
  type CheckSettings,
  defineCheck,
  defineQualifier,
  type Finding,
} from "../../check.ts";
import { fraction } from "../../limit-check.ts";
import { known, knownByNumber, pass, skip, violated } from "../../../result/finding.ts";
import { foldName, nearMissHint, visibleName } from "../../../rules/fold-name.ts";
import { f1, toolPrecision, toolRecall, toolsFound } from "../../../metrics/tool-sets.ts";
import {
  expectedTools as reference,
  type ReferenceTools,
  withoutReference,
  writtenTools,
} from "../../../rules/references.ts";
import { missingTools, together, unexpectedTools } from "../../../result/reasons.ts";
import { listed, share, tallied } from "../../../rules/text.ts";
import { isExpectedBy, type NameTest, wasCalledBy } from "../../../rules/tool-names.ts";
import { allToolSpans, spansOf, toolsHidden } from "./tool-evidence.ts";

const NEEDS = "expected_tools";

/**
 * Check for AgentCI's `expected_tools`. If `min_tool_recall` is set, `min_tool_recall` decides, and `expected_tools` is only its list of
 * tools.
 */
export const expectedTools = defineCheck({
  key: "expected_tools",
  layer: "path",
  metric: "tool_recall",
  summary: "All listed tools were called; if the list is empty, no tool was called.",
  details:
    "The tool recall |E∩U| / |E| of expected tools E and called tools U must be 1. If the spec has `min_tool_recall`, `min_tool_recall` decides, and `expected_tools` is skipped. Names are compared exactly; the message names similar ones. A failed call counts unless `succeeded: true` is set. A hand-off is not a tool call.",
  limit: z.array(writtenText),
  prepare(written, settings) {
    const limit = written.map(visibleName);
    if (limit.length === 0) return noTools;
    const found = toolsFound(limit, wasCalledBy(settings.preset));
    const counted = countedCalls(settings);
    if (settings.beside("min_tool_recall") !== undefined) {
      const skipped = knownByNumber((hits) => skip("min_tool_recall decides", hits / found.of));
      return (context) => skipped(found.in(counted(context)));
    }
    const message = limit.length === 1 ? "the expected tool was called" : "all expected tools were called";
    const all = known(pass(1, message));
    return (context) => {
      const names = counted(context);
      const hits = found.in(names);
      if (hits === found.of) return withFailures(all, limit, context);
      if (context.metrics.toolsMissing !== undefined) return toolsHidden(context);
      const reasons = missingTools(found.missing(names), names);
      return violated(hits / found.of, absent(limit, names, context), { ...allToolSpans(context), reasons });
    };
  },
});

function noTools(context: CheckContext): Finding {
  const names = context.metrics.toolNames;
  if (names.length > 0) {
    const message = `no tool was expected; called: ${tallied(names)}`;
    return violated(1, message, {
      ...allToolSpans(context),
      final: true,
      reasons: unexpectedTools([], names),
    });
  }
  return context.metrics.toolsMissing === undefined
    ? pass(1, "no tool was called, as expected")
    : toolsHidden(context);
}

/**
 * Returns a function that gives the name of each tool call, and null for a call that does not count. With `succeeded: true`, failed calls
 * do not count.
 */
function countedCalls(settings: CheckSettings): (context: CheckContext) => readonly (string | null)[] {
  if (settings.beside("succeeded") !== true) return ({ metrics }) => metrics.toolNames;
  return ({ metrics }) =>
    metrics.toolNames.map((name, at) => (metrics.used[at]?.error === null ? name : null));
}

/** Adds to the message of a passed check the expected tools whose calls all failed. */
function withFailures(found: Finding, expected: readonly string[], context: CheckContext): Finding {
  if (context.metrics.toolErrors === 0) return found;
  const failed = onlyFailed(expected, context);
  return failed.length === 0 ? found : pass(found.value, `${found.message}; ${everyCallFailed(failed)}`);
}

function onlyFailed(expected: readonly string[], { metrics, preset }: CheckContext): readonly string[] {
  const wasCalled = wasCalledBy(preset);
  const called = metrics.toolNames;
  const worked = called.filter((_, at) => metrics.used[at]?.error === null);
  return [...new Set(expected)].filter((name) => wasCalled(name, called) && !wasCalled(name, worked));
}

function everyCallFailed(failed: readonly string[]): string {
  return `every call of ${listed(failed)} failed`;
}

/** Describes the missing expected tools: without a call, with only failed calls, or called as a hand-off. */
function absent(
  expected: readonly string[],
  counted: readonly (string | null)[],
  context: CheckContext,
): string {
  const names = context.metrics.toolNames;
  const wasCalled = wasCalledBy(context.preset);
  const missing = [...new Set(expected)].filter((name) => !wasCalled(name, names));
  const called = names.length === 0 ? "no tool was called" : `called: ${tallied(names)}`;
  const failed = onlyFailed(expected, context).filter((name) => !wasCalled(name, counted));
  const wrong = [
    ...(missing.length === 0
      ? []
      : [`${listed(missing)} ${missing.length === 1 ? "was" : "were"} never called`]),
    ...(failed.length === 0 ? [] : [everyCallFailed(failed)]),
  ];
  return `${wrong.join(", and ")}; ${called}${nearMissHint(missing, names)}${handoffHint(missing, context)}`;
}

function handoffHint(missing: readonly string[], { run }: CheckContext): string {
  for (const name of missing) {
    const wanted = foldName(name);
    const handoff = run.handoffs.find(
      ({ tool, to }) => foldName(tool ?? to) === wanted || foldName(to) === wanted,
    );
    if (handoff !== undefined) return `; ${name} was a hand-off: use expected_handoffs: [${handoff.to}]`;
  }
  return "";
}

/** Modifies `expected_tools` and `min_tool_recall`: failed calls do not count. */
export const succeeded = defineQualifier({
  key: "succeeded",
  summary:
    "`true`: `expected_tools` and `min_tool_recall` count only calls for which the telemetry shows no error. The metric `tool_recall` counts all calls. Default: false.",
  limit: z.boolean(),
  needs: ["expected_tools", "min_tool_recall"],
});

/** Check for AgentCI's `min_tool_recall`. */
export const minToolRecall = defineCheck({
  key: "min_tool_recall",
  layer: "path",
  metric: "tool_recall",
  summary: "At least this share of the expected tools was called.",
  details:
    "|E∩U| / |E|, with called tools U and expected tools E, and 1 if E is empty. E is `expected_tools`, or the tools of the baseline if the spec has no `expected_tools`. Skipped without `expected_tools` and baseline.",
  limit: fraction,
  prepare(limit, settings) {
    const bar = measure("tool recall", limit);
    const counted = countedCalls(settings);
    const judge = (context: CheckContext, expected: readonly string[], recall: number): Finding => {
      if (isAtLeast(recall, limit)) return pass(recall, bar(recall));
      if (context.metrics.toolsMissing !== undefined) return toolsHidden(context);
      const { toolNames } = context.metrics;
      const message = `${bar(recall)}: ${absent(expected, counted(context), context)}`;
      const lacking = toolsFound(expected, wasCalledBy(settings.preset)).missing(toolNames);
      const reasons = missingTools(lacking, toolNames);
      return violated(recall, message, { ...allToolSpans(context), reasons });
    };
    const written = writtenTools(settings)?.names;
    if (written === undefined || written.length === 0) {
      return (context) => {
        const expected = reference(context);
        if (expected === undefined) return withoutReference(context, NEEDS);
        return judge(context, expected.names, toolRecall(expected.names, counted(context)));
      };
    }
    const found = toolsFound(written, wasCalledBy(settings.preset));
    const enough = knownByNumber((hits) => pass(hits / found.of, bar(hits / found.of)));
    return (context) => {
      const hits = found.in(counted(context));
      return isAtLeast(hits / found.of, limit) ? enough(hits) : judge(context, written, hits / found.of);
    };
  },
});

/** Check for AgentCI's `min_tool_precision`. */
export const minToolPrecision = defineCheck({
  key: "min_tool_precision",
  layer: "path",
  metric: "tool_precision",
  summary: "At least this share of the called tools was expected.",
  details:
    "|E∩U| / |U|: the share of the called tools U that are expected tools E. Without a called tool, the share is 1 if no tool is expected, otherwise 0.",
  limit: fraction,
  prepare(limit, settings) {
    const bar = measure("tool precision", limit);
    const written = writtenTools(settings);
    return (context) => {
      const expected = written ?? reference(context);
      if (expected === undefined) return withoutReference(context, NEEDS);
      const names = context.metrics.knownNames;
      if (names === null) return toolsHidden(context);
      const isExpected = isExpectedBy(context.preset, expected.names);
      const precision = toolPrecision(expected.names, names, isExpected);
      if (isAtLeast(precision, limit)) return pass(precision, bar(precision));
      return violated(precision, `${bar(precision)}: ${unexpected(expected, names, isExpected)}`, {
        spanIds: spansOf(context, (at) => !isExpected(names[at] ?? null)),
        reasons: unexpectedTools(names.filter(isExpected), names),
      });
    };
  },
});

function unexpected(expected: ReferenceTools, names: readonly string[], isExpected: NameTest): string {
  const extra = names.filter((name) => !isExpected(name));
  return extra.length === 0 ? "no expected tool was called" : `not in ${expected.from}: ${tallied(extra)}`;
}

/** Check of the harmonic mean of tool recall and tool precision, from AgentCI's metrics reference. */
export const minToolF1 = defineCheck({
  key: "min_tool_f1",
  layer: "path",
  metric: "tool_f1",
  summary: "The harmonic mean of tool recall and tool precision is at least this.",
  details: "2PR / (P+R), and 0 if both are 0.",
  limit: fraction,
  evaluate(context, limit) {
    const expected = reference(context);
    if (expected === undefined) return withoutReference(context, NEEDS);
    const names = context.metrics.knownNames;
    if (names === null) return toolsHidden(context);
    const wasCalled = wasCalledBy(context.preset);
    const isExpected = isExpectedBy(context.preset, expected.names);
    const recall = toolRecall(expected.names, names, wasCalled);
    const precision = toolPrecision(expected.names, names, isExpected);
    const value = f1(precision, recall);
    const measured = measure("tool F1", limit)(value);
    if (isAtLeast(value, limit)) return pass(value, measured);
    const parts = `recall ${share(recall)}, precision ${share(precision)}`;
    return violated(value, `${measured} (${parts})`, {
      ...allToolSpans(context),
      reasons: together(
        missingTools(toolsFound(expected.names, wasCalled).missing(names), names),
        unexpectedTools(names.filter(isExpected), names),
      ),
    });
  },
});

function measure(name: string, limit: number): (value: number) => string {
  return (value) => `${name} ${share(value, limit)}, at least ${share(limit, value)} required`;
}
