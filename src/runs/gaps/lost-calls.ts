import { countsOf } from "../calls/tokens.ts";
import { above, isAbout } from "../calls/tree.ts";
import type { Evidence } from "../evidence.ts";
import type { SpanFacts } from "../facts/span-facts.ts";
import type { Steps } from "../ledger/steps.ts";
import type { ToolUse } from "../ledger/tool-use.ts";
import { answersCaller } from "../results/answer.ts";
import { spanUsage } from "../results/usage.ts";
import { isCutOff, lacksFirst, lacksLast, scopesOf, unansweredCall } from "./scope-losses.ts";

/** Facts of a run besides its evidence. */
export interface KnownRun {
  readonly steps: Steps;
  readonly query: string | null;
  readonly answer: string | null;
  readonly failure: string | null;
}

interface Loss {
  readonly holds: (evidence: Evidence, known: KnownRun) => boolean;
  readonly why: string;
  /** The missing call is the last call of the run, so that the end of the run is unknown. */
  readonly isAtEnd?: true;
}

const more = "raise the exporter's queue size, or sample whole traces";

/** Sign of a model call without a span, with the remedy. */
const losses: readonly Loss[] = [
  {
    holds: (_, { steps }) => steps.isCallLost,
    why: `the message history of a later call shows a model call that has no span, or a span without content: ${more}`,
  },
  {
    holds: (evidence, { steps, answer }) => unansweredCall(evidence, steps.uses, answer) !== null,
    why: "the model call that gave the answer has no span: have the process flush its exporter before it ends",
  },
  {
    holds: (evidence, { steps }) =>
      scopesOf(evidence, steps.uses).some((scope) => lacksFirst(scope, evidence)),
    why: `a tool ran before the first model call, so its requesting call has no span; ${more}`,
  },
  {
    holds: (evidence, { steps, answer, failure }) =>
      failure === null &&
      scopesOf(evidence, steps.uses).some((scope) =>
        lacksLast(scope, evidence, answer, isRequested(steps.uses)),
      ),
    isAtEnd: true,
    why: "after its tool the agent continued, and no model call was recorded: have the process flush its exporter before it ends",
  },
  {
    holds: endsWithinTool,
    why: "the last call belongs to an agent that a tool started, and the caller's own last call has no span: have the process flush its exporter before it ends",
  },
  {
    holds: (evidence, { steps }) => wentOn(evidence, steps.uses),
    why: "the last model call requested tools that ran, and later log records belong to missing spans: have the process flush its exporter before it ends",
  },
  {
    holds: countsMore,
    why: "a span counts more tokens than the model calls in it: instrument the model client, or sample whole traces",
  },
  {
    holds: hasOrphan,
    why: `a typical child span of model calls has a missing parent: ${more}`,
  },
];

/** Why the data lack model calls, and whether the last call is missing; null if the data show no missing call. */
export function lossOf(evidence: Evidence, known: KnownRun): Pick<Loss, "why" | "isAtEnd"> | null {
  return losses.find(({ holds }) => holds(evidence, known)) ?? null;
}

/** Whether a model requested any of the tools. */
function isRequested(uses: readonly ToolUse[]): boolean {
  return uses.some(({ call }) => call !== null);
}

function endsWithinTool(evidence: Evidence, { steps, answer, failure }: KnownRun): boolean {
  const last = evidence.allCalls[evidence.allCalls.length - 1];
  if (last === undefined || answer !== null || failure !== null || isCutOff(evidence)) return false;
  return answersCaller(evidence, steps.uses, last);
}

/** All tools of the last call ran. Log records exist after the last span, so the process did not export some work. */
function wentOn({ allCalls, nodes, fragments }: Evidence, uses: readonly ToolUse[]): boolean {
  const last = uses.filter(({ call }) => call !== null && call === allCalls.length - 1);
  if (last.length === 0 || last.some(({ executions }) => executions.length === 0)) return false;
  const end = nodes.reduce((latest, node) => Math.max(latest, node.end), 0);
  return fragments.some(({ uncorrelatedLogs }) =>
    uncorrelatedLogs.some(({ spanId, timeUnixMs }) => spanId !== undefined && timeUnixMs > end),
  );
}

/**
 * Whether a span around calls reports more input tokens than all its calls, each of which has a count. False if the history has earlier
 * turns, because the span's count may include the earlier turns.
 */
function countsMore({ nodes, calls }: Evidence, { query }: KnownRun): boolean {
  const messages = calls[0]?.inputs ?? [];
  const place = messages.findLastIndex(({ role, text }) => role === "user" && text === query);
  if (place < 0 || messages.slice(0, place).some(({ role }) => role === "assistant")) return false;
  return nodes.some((owner) => {
    if (owner.role === "call" || !isAbout(owner) || countsOf(owner).input === undefined) return false;
    let sum = 0;
    for (const { node, usage } of calls)
      if (above(node, (at) => at === owner) !== null) sum += usage.input ?? NaN;
    return sum > 0 && (spanUsage(owner).input ?? 0) > sum;
  });
}

function kindOf({ span }: SpanFacts): string {
  return `${span.scopeName}\n${span.name}`;
}

/** Whether a typical child span of model calls has a missing parent, for example the HTTP request of the client. */
function hasOrphan({ root, nodes }: Evidence): boolean {
  const orphans = new Set<string>();
  for (const node of nodes)
    if (!node.parentCame && node !== root && node.span.parentSpanId !== undefined && node.role !== "call")
      orphans.add(kindOf(node));
  return orphans.size > 0 && nodes.some((node) => node.parent?.role === "call" && orphans.has(kindOf(node)));
}
