import { isAtLeast } from "../../../support/structures/compare-limit.ts";
import { anomaliesOf, type Anomaly, hidesAnomalies } from "../behaviour/anomalies.ts";
import { coherenceIssues, coherenceOf } from "../behaviour/coherence.ts";
import { trustFlags, trustOf } from "../behaviour/trust.ts";
import { type CheckContext, defineCheck } from "../check.ts";
import { fraction, wholeNumber } from "../limit-check.ts";
import { incomplete, pass, skip, violated } from "../../result/finding.ts";
import { count, listed, share } from "../../rules/text.ts";
import { progressOf } from "./progress-check.ts";
import { spansOf, toolsHidden } from "./tools/tool-evidence.ts";

const ANOMALIES = Symbol("anomalies");

/** Returns the number of behaviour anomalies of the run; null if tool calls, names or arguments are missing. */
export function anomalyCount(context: CheckContext): number | null {
  const { knownNames, used } = context.metrics;
  const isHidden = knownNames === null || hidesAnomalies(used) || hidesSteps(context);
  return isHidden ? null : certainAnomalies(context).length;
}

/** Returns the certain behaviour anomalies of the run, as defined by EvalView. */
function certainAnomalies(context: CheckContext): readonly Anomaly[] {
  const { metrics } = context;
  return metrics.once(ANOMALIES, () => {
    const { open = [], openAgents = [] } = progressOf(context) ?? {};
    return anomaliesOf(
      metrics.used,
      open.filter((name) => !openAgents.includes(name)),
    );
  });
}

/** Whether it is unknown if the run skipped a step, because spans name no agent. */
function hidesSteps(context: CheckContext): boolean {
  const made = progressOf(context);
  return made !== null && made.openAgents.length > 0 && made.openAgents.length === made.open.length;
}

/** Check for EvalView's anomaly report: number of anomalies ≤ limit. */
export const maxAnomalies = defineCheck({
  key: "max_anomalies",
  layer: "path",
  metric: "anomalies",
  summary: "The run has at most this many anomalies.",
  details:
    "Anomalies: three or more calls of one tool in a row with equal arguments; five or more calls in a row of tools that were called before; a failed call followed directly by two or more equal calls; a tool called five times or more; a step of `expected_steps` not taken.",
  limit: wholeNumber,
  evaluate(context, limit) {
    if (context.metrics.knownNames === null) return toolsHidden(context);
    const found = certainAnomalies(context);
    if (found.length <= limit && hidesAnomalies(context.metrics.used))
      return incomplete("tool_arguments", "the arguments of a call were not captured", context.run);
    if (found.length <= limit && hidesSteps(context))
      return incomplete(
        "agents",
        "a step of `expected_steps` may be missing: spans name no agent",
        context.run,
      );
    const measure = `${found.length === 1 ? "1 anomaly" : `${found.length} anomalies`}, at most ${limit} allowed`;
    if (found.length <= limit) return pass(found.length, measure);
    const places = new Set(found.flatMap(({ calls }) => calls));
    const message = `${measure}: ${listed(found.map(({ pattern, description }) => `${pattern} (${description})`))}`;
    return violated(found.length, message, {
      spanIds: spansOf(context, (at) => places.has(at)),
      faults: distinct(found.map(({ pattern }) => pattern)),
    });
  },
});

/** Returns EvalView's trust score of the run, from 0 to 1; null if tool calls, or their names, arguments or results, are missing. */
export function trustIn(context: CheckContext): number | null {
  const { metrics } = context;
  if (metrics.knownNames === null || unreadField(context) !== undefined) return null;
  return trustOf(trustFlags(metrics));
}

/** Returns the missing field in which further signs of a copied answer may be; undefined if nothing is missing. */
function unreadField({ metrics }: CheckContext): string | undefined {
  if (metrics.used.some((call) => call.arguments === undefined)) return "tool_arguments";
  if (metrics.used.some(({ result, error }) => result === undefined && error === null)) return "tool_results";
  return metrics.used.length > 0 && metrics.durationMs === null ? "duration" : undefined;
}

/** Check for EvalView's trust score ≥ limit. */
export const minTrust = defineCheck({
  key: "min_trust",
  layer: "path",
  metric: "trust",
  summary:
    "The trust in the answer, from 0 to 1, is at least this. Signs of a copied answer lower the trust.",
  details:
    "Starts at 1. Subtracts 0.15 if the arguments or result of one call name files of an evaluation, such as `golden/` or `answer_key`, or 0.3 for several such calls. Subtracts 0.15 if arguments name files such as `a.golden`. Subtracts 0.05 for a run with tool calls that takes less than 500 ms, or 0.15 for less than 250 ms, unless its model answers were replayed. `incomplete` if an argument, a result or the duration is unknown and the known signs allow a pass.",
  limit: fraction,
  evaluate(context, limit) {
    const { run, metrics } = context;
    if (metrics.knownNames === null) return toolsHidden(context);
    const flags = trustFlags(metrics);
    const value = trustOf(flags);
    const measure = `trust ${share(value, limit)}, at least ${share(limit, value)} required`;
    if (isAtLeast(value, limit)) {
      const unread = unreadField(context);
      if (unread === undefined) return pass(value, measure);
      return incomplete(unread, `${measure}; not every call was captured`, run);
    }
    const places = new Set(flags.flatMap(({ calls }) => calls));
    const message = `${measure}: ${listed(flags.map(({ sign, description }) => `${sign} (${description})`))}`;
    const faults = distinct(flags.map(({ sign }) => sign));
    return violated(value, message, { spanIds: spansOf(context, (at) => places.has(at)), faults });
  },
});

/** Returns EvalView's coherence score of a conversation, from 0 to 1; null for fewer than two turns. */
export function coherenceIn({ run }: CheckContext): number | null {
  const turns = run.turns ?? [];
  return turns.length < 2 ? null : coherenceOf(coherenceIssues(turns));
}

/** Check for EvalView's coherence score of a conversation ≥ limit. */
export const minCoherence = defineCheck({
  key: "min_coherence",
  layer: "path",
  metric: "coherence",
  summary: "The coherence of a conversation's turns, from 0 to 1, is at least this.",
  details:
    "Starts at 1. Subtracts 0.2 for each turn whose answer contradicts an earlier answer. Subtracts 0.1 for each turn from the third on if its question repeats names, quoted texts or numbers from questions of the first half, and its answer contains none of them. Subtracts 0.1 for each turn that calls some tools of an earlier turn, but leaves out at least as many tools of that turn. Subtracts 0.1 if the second half of four or more turns mostly uses other tools than the first half. Compares English wording and tool names. Skipped without a conversation of two or more turns.",
  limit: fraction,
  evaluate({ run, metrics }, limit) {
    const turns = run.turns ?? [];
    if (turns.length < 2) return skip("the conversation has fewer than two turns");
    const unheard = turns.filter(({ answer }) => answer === null).length;
    const issues = coherenceIssues(turns);
    const value = coherenceOf(issues);
    const measure = `coherence ${share(value, limit)} over ${count(turns.length, "turn")}, at least ${share(limit, value)} required`;
    if (!isAtLeast(value, limit))
      return violated(
        value,
        `${measure}: ${listed(issues.map(({ category, description }) => `${category} (${description})`))}`,
        { spanIds: [run.rootSpanId], faults: distinct(issues.map(({ category }) => category)) },
      );
    if (unheard > 0 || metrics.knownNames === null)
      return incomplete(unheard > 0 ? "answer" : "tools", `${measure}; not every turn was captured`, run);
    return pass(value, measure);
  },
});

function distinct(names: readonly string[]): readonly string[] {
  return [...new Set(names)];
}
