import { isAtMost } from "../../../support/structures/compare-limit.ts";
import { z } from "zod";
import { namedRecord } from "../../../support/structures/named-record.ts";
import { withEntries } from "../../../support/structures/with-entries.ts";
import type { AgentRun, ModelCall, ToolCall } from "../../../model/run.ts";
import { type CheckContext, defineCheck, type Finding } from "../check.ts";
import { wholeNumber } from "../limit-check.ts";
import { isEstimated, milliseconds } from "./budgets.ts";
import { incomplete, pass, spanIdsOf, violated } from "../../result/finding.ts";
import {
  completionsOf,
  plausibleCost,
  plausibleDuration,
  knownTokensOfCall,
  tokensOfCall,
} from "../../quantities/run-quantities.ts";
import { foldName } from "../../rules/fold-name.ts";
import { count, dollars, grouped, listed, short } from "../../rules/text.ts";

const amount = z.number().min(0);

const agentBudget = z.strictObject({
  max_total_tokens: wholeNumber
    .describe("Maximum number of input and output tokens of the agent's model calls")
    .exactOptional(),
  max_llm_calls: wholeNumber
    .describe("Maximum number of model calls of the agent; a failed call without tokens does not count")
    .exactOptional(),
  max_cost_usd: amount.describe("Maximum cost of the agent's model calls, in US dollars").exactOptional(),
  max_tool_calls: wholeNumber.describe("Maximum number of tool calls of the agent").exactOptional(),
});

const toolBudget = z.strictObject({
  max_calls: wholeNumber.describe("Maximum number of calls of the tool").exactOptional(),
  max_latency_ms: amount.describe("Maximum total time of all calls, in milliseconds").exactOptional(),
  max_call_latency_ms: amount.describe("Maximum time of one call, in milliseconds").exactOptional(),
});

/** One measured value of an agent or a tool, and its limit. */
interface Measure {
  /** Agent or tool, and key of the limit: "researcher max_total_tokens". */
  readonly fault: string;
  /** Agent or tool, and measured value: "researcher: 3,000 tokens". */
  readonly description: string;
  readonly limit: number;
  readonly known: number;
  /** Entry of the run's `missing` because of which the true value may be higher than `known`; undefined if `known` is exact. */
  readonly hidden: string | undefined;
  readonly spanIds: readonly string[];
}

/**
 * Check `agent_budgets`. Names of agents are compared without case and separators. An agent without spans counts as having used nothing.
 */
export const agentBudgets = defineCheck({
  key: "agent_budgets",
  layer: "cost",
  metric: "agent_budgets_exceeded",
  summary: "Each named agent stays within its limits of tokens, model calls, cost and tool calls.",
  details:
    "Counts the calls whose spans name the agent; a failed model call counts only if it reports its tokens. `incomplete` if spans name no agent and the known calls exceed no limit. Names are compared as in `expected_handoff`. The result's `value` is the number of exceeded limits.",
  limit: withEntries(namedRecord(z.string(), withEntries(agentBudget, "a limit")), "an agent"),
  undoable: false,
  evaluate(context, limit) {
    return concluded(
      context,
      Object.entries(limit).flatMap(([agent, budget]) => agentMeasures(context, agent, budget)),
    );
  },
});

/** Check `tool_budgets`. Names of tools are compared without case and separators. */
export const toolBudgets = defineCheck({
  key: "tool_budgets",
  layer: "cost",
  metric: "tool_budgets_exceeded",
  summary: "Each named tool stays within its limits of calls, total time and time of one call.",
  details:
    "Names are compared as in `expected_handoff`. The result's `value` is the number of exceeded limits.",
  limit: withEntries(namedRecord(z.string(), withEntries(toolBudget, "a limit")), "a tool"),
  undoable: false,
  evaluate(context, limit) {
    return concluded(
      context,
      Object.entries(limit).flatMap(([tool, budget]) => toolMeasures(context, tool, budget)),
    );
  },
});

function agentMeasures(
  context: CheckContext,
  agent: string,
  budget: z.infer<typeof agentBudget>,
): readonly Measure[] {
  const { run, metrics } = context;
  const own = run.llm.filter((call) => belongs(call, agent));
  const completed = own.filter((call) => completionsOf(call) !== 0 || (knownTokensOfCall(call) ?? 0) > 0);
  const isUnnamed = unnamedFor(agent, run);
  const stray = run.llmCalls === null || run.llm.some(isUnnamed) ? "agents" : undefined;
  const tools = metrics.used.filter((call) => belongs(call, agent));
  const strayTools = metrics.lacks("tools") ? "tools" : metrics.used.some(isUnnamed) ? "agents" : undefined;
  const of = measuresFor(agent, budget);
  const hidden = (field: string, isKnown: (call: ModelCall) => boolean): string | undefined =>
    stray ?? (completed.every(isKnown) ? undefined : field);
  const tokens = sum(completed, knownTokensOfCall);
  const cost = sum(own, costOf);
  const calls = sum(completed, completionsOf);
  const hiddenTokens = hidden("usage", (call) => tokensOfCall(call) !== null);
  const hiddenCost = isEstimated(context) ? "cost" : hidden("cost", (call) => costOf(call) !== null);
  return [
    ...of("max_total_tokens", tokens, count(tokens, "token"), hiddenTokens, completed),
    ...of("max_llm_calls", calls, count(calls, "model call"), stray, completed),
    ...of("max_cost_usd", cost, dollars(cost), hiddenCost, own),
    ...of("max_tool_calls", tools.length, count(tools.length, "tool call"), strayTools, tools),
  ];
}

/**
 * Returns a predicate for a call that may belong to the agent, because no span names the agent of the call. The name of the service, which
 * then stands for the agent, does not exclude another agent.
 */
function unnamedFor(wanted: string, run: AgentRun): (call: Pick<ModelCall, "agent">) => boolean {
  const standIn = run.isNamedByService === true ? run.service : null;
  return (call) => call.agent === null || (call.agent === standIn && !belongs(call, wanted));
}

function costOf({ costUsd }: ModelCall): number | null {
  return plausibleCost(costUsd);
}

function toolMeasures(
  { metrics }: CheckContext,
  tool: string,
  budget: z.infer<typeof toolBudget>,
): readonly Measure[] {
  const name = foldName(tool);
  const calls = metrics.used.filter((call) => call.name !== null && foldName(call.name) === name);
  const missing = metrics.toolsMissing;
  const untimed =
    missing ??
    (calls.some((call) => plausibleDuration(call.durationMs) === null) ? "tool_durations" : undefined);
  const total = sum(calls, (call) => plausibleDuration(call.durationMs));
  const longest = calls.reduce((most, call) => Math.max(most, plausibleDuration(call.durationMs) ?? 0), 0);
  const of = measuresFor(tool, budget);
  return [
    ...of("max_calls", calls.length, count(calls.length, "call"), missing, calls),
    ...of("max_latency_ms", total, `${milliseconds(total)} in all`, untimed, calls),
    ...of("max_call_latency_ms", longest, `${milliseconds(longest)} for one call`, untimed, calls),
  ];
}

/**
 * Returns a function that gives the measured value for one limit of an agent or a tool. The function returns an empty list if the budget
 * does not have the limit.
 */
function measuresFor<Key extends string>(name: string, budget: { readonly [key in Key]?: number }) {
  return (
    key: Key,
    known: number,
    shown: string,
    hidden: string | undefined,
    calls: readonly (ModelCall | ToolCall)[],
  ): readonly Measure[] => {
    const limit = budget[key];
    if (limit === undefined) return [];
    const description = `${short(name)}: ${shown}`;
    return [{ fault: `${name} ${key}`, description, limit, known, hidden, spanIds: spanIdsOf(calls) }];
  };
}

function concluded({ run }: CheckContext, measures: readonly Measure[]): Finding {
  const exceeded = measures.filter(({ known, limit }) => !isAtMost(known, limit));
  if (exceeded.length > 0) {
    const messages = exceeded.map(
      ({ description, limit }) => `${description}, at most ${grouped(limit)} allowed`,
    );
    return violated(exceeded.length, listed(messages), {
      spanIds: exceeded.flatMap((one) => one.spanIds).slice(0, 32),
      faults: exceeded.map(({ fault }) => fault),
    });
  }
  const hidden = measures.find((one) => one.hidden !== undefined);
  if (hidden?.hidden === undefined) return pass(0, "no budget is exceeded");
  return incomplete(
    hidden.hidden,
    `${hidden.description} in the telemetry; the true value may be higher`,
    run,
  );
}

function belongs({ agent }: Pick<ModelCall, "agent">, wanted: string): boolean {
  return agent !== null && foldName(agent) === foldName(wanted);
}

function sum<Call>(calls: readonly Call[], of: (call: Call) => number | null): number {
  return calls.reduce((total, call) => total + (of(call) ?? 0), 0);
}
