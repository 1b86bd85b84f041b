import { z } from "zod";
import { type CheckContext, defineCheck, type Finding } from "../check.ts";
import { finallyViolated, pass, skip, violated } from "../finding.ts";
import { nearMissHint } from "../fold-name.ts";
import { f1, toolPrecision, toolRecall } from "../metrics/tool-sets.ts";
import { expectedTools as reference, type ReferenceTools, withoutReference } from "../references.ts";
import { listed, share, tallied } from "../text.ts";
import { allToolSpans, spansOf, toolsHidden } from "./tool-evidence.ts";

const fraction = z.number().min(0).max(1);
const NEEDS = "expected_tools";

/**
 * AgentCI `expected_tools`: every one was called, recall 1.0; an empty list asserts that no tool was. With `min_tool_recall`
 * beside it that bar decides, and this key only names the tools.
 */
export const expectedTools = defineCheck({
  key: "expected_tools",
  layer: "path",
  metric: "tool_recall",
  summary: "All of these tools were called; an empty list means no tool at all.",
  limit: z.array(z.string()),
  undoable: true,
  evaluate(context, limit) {
    if (limit.length === 0) return noTools(context);
    const names = context.metrics.toolNames;
    const recall = toolRecall(limit, names);
    if (context.settings["min_tool_recall"] !== undefined)
      return skip("min_tool_recall sets the bar", recall);
    if (recall === 1)
      return pass(1, limit.length === 1 ? "the expected tool was called" : "all expected tools were called");
    if (context.metrics.toolsMissing !== undefined) return toolsHidden(context);
    return violated(recall, absent(limit, names), allToolSpans(context));
  },
});

function noTools(context: CheckContext): Finding {
  const names = context.metrics.toolNames;
  if (names.length > 0)
    return finallyViolated(1, `no tool was expected, called: ${tallied(names)}`, allToolSpans(context));
  return context.metrics.toolsMissing === undefined
    ? pass(1, "no tool was called, as expected")
    : toolsHidden(context);
}

function absent(expected: readonly string[], names: readonly (string | null)[]): string {
  const missing = expected.filter((name, at) => expected.indexOf(name) === at && !names.includes(name));
  const called = names.length === 0 ? "no tool was" : tallied(names);
  return `${listed(missing)} ${missing.length === 1 ? "was" : "were"} never called; called: ${called}${nearMissHint(missing, names)}`;
}

/** AgentCI `min_tool_recall`: |E∩U|/|E| ≥ limit; E from `expected_tools`, else the baseline's tools. */
export const minToolRecall = defineCheck({
  key: "min_tool_recall",
  layer: "path",
  metric: "tool_recall",
  summary: "At least this share of the expected tools was called.",
  limit: fraction,
  undoable: true,
  evaluate(context, limit) {
    const expected = reference(context);
    if (expected === undefined) return withoutReference(context, NEEDS);
    const names = context.metrics.toolNames;
    const recall = toolRecall(expected.names, names);
    if (recall >= limit) return pass(recall, measured("tool recall", recall, limit));
    if (context.metrics.toolsMissing !== undefined) return toolsHidden(context);
    const message = `${measured("tool recall", recall, limit)}: ${absent(expected.names, names)}`;
    return violated(recall, message, allToolSpans(context));
  },
});

/** AgentCI `min_tool_precision`: |E∩U|/|U| ≥ limit. */
export const minToolPrecision = defineCheck({
  key: "min_tool_precision",
  layer: "path",
  metric: "tool_precision",
  summary: "At least this share of the tools called was expected.",
  limit: fraction,
  undoable: true,
  evaluate(context, limit) {
    const expected = reference(context);
    if (expected === undefined) return withoutReference(context, NEEDS);
    const names = context.metrics.knownNames;
    if (names === null) return toolsHidden(context);
    const precision = toolPrecision(expected.names, names);
    if (precision >= limit) return pass(precision, measured("tool precision", precision, limit));
    const message = `${measured("tool precision", precision, limit)}: ${unexpected(expected, names)}`;
    return violated(
      precision,
      message,
      spansOf(context, (at) => !expected.names.includes(names[at] ?? "")),
    );
  },
});

function unexpected(expected: ReferenceTools, names: readonly string[]): string {
  const extra = names.filter((name) => !expected.names.includes(name));
  return extra.length === 0 ? "no expected tool was called" : `not in ${expected.from}: ${tallied(extra)}`;
}

/** Harmonic mean of recall and precision ≥ limit (AgentCI metrics reference). */
export const minToolF1 = defineCheck({
  key: "min_tool_f1",
  layer: "path",
  metric: "tool_f1",
  summary: "The harmonic mean of tool recall and precision is at least this.",
  limit: fraction,
  undoable: true,
  evaluate(context, limit) {
    const expected = reference(context);
    if (expected === undefined) return withoutReference(context, NEEDS);
    const names = context.metrics.knownNames;
    if (names === null) return toolsHidden(context);
    const recall = toolRecall(expected.names, names);
    const precision = toolPrecision(expected.names, names);
    const value = f1(precision, recall);
    const parts = `recall ${share(recall)}, precision ${share(precision)}`;
    if (value >= limit) return pass(value, measured("tool F1", value, limit));
    return violated(value, `${measured("tool F1", value, limit)} (${parts})`, allToolSpans(context));
  },
});

function measured(name: string, value: number, limit: number): string {
  return `${name} ${share(value)}, at least ${share(limit)} wanted`;
}
