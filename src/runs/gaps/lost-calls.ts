import { firstIndex } from "../../support/structures/first-index.ts";
import { groupBy } from "../../support/structures/group-by.ts";
import { countsOf } from "../calls/tokens.ts";
import { TranscriptCall } from "../calls/transcript.ts";
import { above, isAbout, isAgent } from "../calls/tree.ts";
import type { Evidence } from "../evidence.ts";
import { RecordView } from "../facts/record-view.ts";
import type { SpanFacts } from "../facts/span-facts.ts";
import type { Steps } from "../ledger/steps.ts";
import type { ToolUse } from "../ledger/tool-use.ts";
import { spanUsage } from "../results/usage.ts";
import { answersCaller } from "../results/answer.ts";
import { sameAgent } from "../who/agent-name.ts";
import { isCutOff, lacksFirst, lacksLast, scopesOf, unansweredCall } from "./scope-losses.ts";

/** Facts of a run that are known in addition to its evidence. */
export interface KnownRun {
  readonly steps: Steps;
  readonly query: string | null;
  readonly answer: string | null;
  readonly failure: string | null;
}

/** Facts about a model call that has no span. */
export interface Loss {
  readonly why: string;
  /** The missing call is the last call of the run, so that the end of the run is unknown. */
  readonly isAtEnd?: true;
  /** The missing call is the one that answered the user. */
  readonly isOfAnswer?: true;
}

const more = "raise the exporter's queue size (OTEL_BSP_MAX_QUEUE_SIZE), or sample complete traces";

interface Sign extends Loss {
  readonly holds: (evidence: Evidence, known: KnownRun) => boolean;
}

/** Signs that a model call has no span, each with the reason and the remedy. */
const losses: readonly Sign[] = [
  {
    holds: (evidence, { steps }) => steps.isCallLost || ranUnrequested(evidence, steps.uses),
    why: `the message history of a later call shows a model call that has no span, or a span without content: ${more}`,
  },
  {
    holds: (evidence, { steps, answer }) => unansweredCall(evidence, steps.uses, answer) !== null,
    why: "the model call that gave the answer has no span: have the process flush its exporter before it ends",
  },
  {
    holds: (evidence, { steps }) =>
      scopesOf(evidence, steps.uses).some((scope) => lacksFirst(scope, evidence)),
    why: `a tool ran before the first model call, so the model call that requested the tool has no span: ${more}`,
  },
  {
    holds: (evidence, { steps, answer, failure }) =>
      failure === null &&
      scopesOf(evidence, steps.uses).some((scope) =>
        lacksLast(scope, evidence, answer, isRequested(steps.uses)),
      ),
    isAtEnd: true,
    why: "the agent continued after its last tool, and no later model call was recorded: have the process flush its exporter before it ends",
  },
  {
    holds: endsWithinTool,
    isOfAnswer: true,
    why: "the last model call is by an agent that a tool started, and the last model call of the calling agent has no span: have the process flush its exporter before it ends",
  },
  {
    holds: countsMore,
    why: "a span reports more tokens than its model calls together, so a model call has no span: instrument the model client, or sample complete traces",
  },
  {
    holds: hasOrphan,
    why: `a span such as the model client's HTTP request has a missing parent, so a model call has no span: ${more}`,
  },
  {
    holds: lacksDelegate,
    why: `a tool called an agent, but no model call of this agent has a span: ${more}`,
  },
  {
    holds: hasEmptyStep,
    why: `a step has no model call, although other steps with the same name have one: ${more}`,
  },
];

/** Why the data lack model calls, and whether the last call is missing; null if the data show no missing call. */
export function lossOf(evidence: Evidence, known: KnownRun): Loss | null {
  return losses.find(({ holds }) => holds(evidence, known)) ?? null;
}

/**
 * Whether a tool that no call requested ran between two calls, after all requests of the first call had run. A call between the two calls
 * is then missing. Tools that a program runs itself come before the first model call, or after a call that returned only text.
 */
function ranUnrequested({ allCalls }: Evidence, uses: readonly ToolUse[]): boolean {
  const usesByCall = groupBy(uses, ({ call }) => (call === null ? undefined : allCalls[call]));
  const asked = new Set(uses.map((use) => (use.call === null ? null : use.name)));
  const callsByParent = groupBy(allCalls, ({ node }) => node.span.parentSpanId ?? "");
  const callsByAgent = groupBy(allCalls, ({ node }) => above(node, isAgent));
  return uses.some((use) => {
    const node = use.executions[0]?.node;
    if (use.call !== null || node === undefined) return false;
    const agent = above(node, isAgent);
    // A tool that models request is compared with all calls in the agent's span. A tool that no model requests is compared only with its
    // sibling calls.
    const beside =
      asked.has(use.name) && agent !== null
        ? callsByAgent.get(agent)
        : callsByParent.get(node.span.parentSpanId ?? "");
    if (beside === undefined) return false;
    const next = firstIndex(beside, ({ start }) => start >= node.end);
    const before = beside[next - 1];
    if (before === undefined || next === beside.length || before.requests.length === 0) return false;
    const own = usesByCall.get(before) ?? [];
    return (
      own.length === before.requests.length &&
      own.every(({ executions }) => executions.length > 0 && executions.every(({ end }) => end <= node.start))
    );
  });
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

function kindOf({ span }: SpanFacts): string {
  return `${span.scopeName}\n${span.name}`;
}

/**
 * Whether a span around calls reports more input tokens than the sum of its calls, if each call has a count. False if the history has
 * earlier turns, because the span's count may include them.
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

/**
 * Whether a span has a missing parent, although all other spans of this kind are children of model calls, such as the client's HTTP
 * request. The model call above it is then missing.
 */
function hasOrphan({ root, nodes }: Evidence): boolean {
  const places = new Map<string, Set<boolean | null>>();
  for (const node of nodes) {
    if (node === root || node.span.parentSpanId === undefined || node.role === "call") continue;
    const own = places.get(kindOf(node)) ?? new Set();
    places.set(kindOf(node), own.add(node.parentCame ? node.parent?.role === "call" : null));
  }
  return [...places.values()].some((own) => own.has(null) && own.has(true) && !own.has(false));
}

const MOST_IN_A_NOTE = 60;

/**
 * Whether a hand-off returned a text longer than `MOST_IN_A_NOTE`, but no call of its agent is recorded. False if the agent of any call is
 * unknown.
 */
function lacksDelegate({ allCalls }: Evidence, { steps }: KnownRun): boolean {
  if (allCalls.some(({ agent }) => agent === null)) return false;
  return steps.uses.some(({ target, returned, executions }) => {
    if (target === null) return false;
    const content = returned?.content ?? executions.find(({ result }) => result !== undefined)?.result;
    // A tool that only hands over returns a name or a short note.
    if (typeof content !== "string" || content.length <= MOST_IN_A_NOTE) return false;
    return allCalls.every(({ agent }) => agent !== null && !sameAgent(agent, target));
  });
}

/**
 * Whether a step has no model call, although other steps with its name have one. The step must take at least a quarter of the time of the
 * shortest other step, because a graph node that did no work takes less. It must contain nothing that the other steps lack. It must not
 * have failed, because a failed step may end before its call.
 */
function hasEmptyStep({ nodes, allCalls, unendedCall }: Evidence): boolean {
  if (allCalls[0] instanceof TranscriptCall) return false;
  const holding = new Set<SpanFacts>();
  for (const { node } of unendedCall === null ? allCalls : [...allCalls, unendedCall])
    for (let at = node.parent; at !== null && at.role !== "tool" && !holding.has(at); at = at.parent)
      holding.add(at);
  const kinds = new Map<string, { shortestMs: number; readonly inner: Set<string> }>();
  for (const node of holding) {
    if (!isStep(node)) continue;
    const kind = kinds.get(node.span.name) ?? { shortestMs: Infinity, inner: new Set() };
    kinds.set(node.span.name, kind);
    kind.shortestMs = Math.min(kind.shortestMs, node.end - node.start);
    for (const { span } of node.children) kind.inner.add(span.name);
  }
  if (kinds.size === 0) return false;
  return nodes.some((node) => {
    const kind =
      isStep(node) && node.failure === null && !holding.has(node) ? kinds.get(node.span.name) : undefined;
    if (kind === undefined || node.end - node.start < kind.shortestMs / 4 || isOfAnother(node)) return false;
    // The model call of the step may be a sibling span at the same time.
    if (allCalls.some(({ start, end }) => start >= node.start && end <= node.end)) return false;
    return node.children.every(({ span }) => kind.inner.has(span.name));
  });
}

/**
 * Whether the step is within a step with the same name. Also true for the first step of an agent if it contains a tool, which was requested
 * before.
 */
function isOfAnother(node: SpanFacts): boolean {
  if (above(node, ({ span }) => span.name === node.span.name) !== null) return true;
  return node.parent?.children[0] === node && node.children.some(({ role }) => role === "tool");
}

/**
 * Whether a span is a step of an agent framework. Functions that a program traces itself do not count, because some of them contain model
 * calls and others do not. Log records do not count either: the model calls of their run may be in records of another trace.
 */
function isStep({ role, parent, span }: SpanFacts): boolean {
  if (span instanceof RecordView) return false;
  return role === "step" || role === "agent" || (role === "unknown" && parent?.role !== "unknown");
}
