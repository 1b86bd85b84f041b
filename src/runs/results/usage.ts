import { isArray, isObject } from "../../model/json.ts";
import type { Usage } from "../../model/run.ts";
import type { LlmCall } from "../calls/llm-call.ts";
import { TranscriptCall } from "../calls/transcript.ts";
import { countsOf, inclusiveUsage, sumUsage, unknownUsage } from "../calls/tokens.ts";
import { above, isAgent, tookSteps } from "../calls/tree.ts";
import type { Evidence } from "../evidence.ts";
import { F } from "../facts/fields.ts";
import type { SpanFacts } from "../facts/span-facts.ts";

/** How complete the recorded model calls are. */
export type Coverage =
  | "all"
  /** One span covers several calls, and their number is unknown. */
  | "covered"
  /** One span covers several calls, and its history shows how many. */
  | "counted"
  /** A call is missing from the telemetry. */
  | "lost"
  /** No call is recorded, although an agent worked. */
  | "none"
  /** No model call was made, or none was answered. */
  | "zero";

/**
 * Whether a run without answered calls counts as having 0 model calls. True in two cases:
 * - All recorded calls failed, no tool ran, and there is no answer.
 * - There is no tool, no model call, no usage and no answer, and one of three conditions holds. The run failed with an error that is not a
 * model server's. Or a guardrail ran. Or no agent names a model, took steps or got a question.
 */
export function isWithoutCall(evidence: Evidence, hasAnswer: boolean, failure: string | null): boolean {
  // Each recorded model call failed, so that no call was answered.
  const isRefused =
    evidence.failedCalls.length > 0 &&
    evidence.failedCalls.length === evidence.allCalls.length &&
    !(failure !== null && unreadAnswer.test(failure));
  if (isRefused && !hasAnswer && evidence.toolNodes.length === 0) return true;
  const worked = evidence.nodes.some(
    (node) =>
      node.role === "tool" ||
      node.role === "call" ||
      (node.role === "agent" && (node.inputTokens !== null || node.hasField(F.usage))),
  );
  if (worked || hasAnswer || (failure !== null && modelFailure.test(failure))) return false;
  if (failure !== null || evidence.guardrailNodes.length > 0) return true;
  // An agent called its model, even if no call is recorded, if the agent names the model, took steps, or got a question.
  return !evidence.agentNodes.some(
    (agent) => agent.requestModel !== null || tookSteps(agent) || isAsked(agent),
  );
}

function isAsked(agent: SpanFacts): boolean {
  return (
    agent.hasField(F.input) ||
    agent.hasField(F.inputMessages) ||
    agent.dialects.derive?.[F.input] !== undefined
  );
}

/** Matches errors of clients that received an answer and could not read it. */
const unreadAnswer = /(?:unable|failed|could not) to parse\b|JSON(?:Decode|Parse)Error/;

/** Matches errors of model servers. Such an error proves that a model call was made. */
const modelFailure = /error code: \d|status code|context length|rate limit|api ?error|quota|overloaded/i;

/**
 * Returns the tokens of the run: the sum of its calls if all are recorded, otherwise the sum of its agent spans. If a span covers several
 * calls, its tokens are those of all these calls. `isAlone`: the run's agent used no other agent.
 */
export function runUsage(evidence: Evidence, coverage: Coverage, isAlone: boolean): Usage {
  if (coverage === "all" || coverage === "counted") {
    const sum = sumUsage(
      evidence.calls.flatMap(({ usage, isCountedLater }) => (isCountedLater ? [] : [usage])),
    );
    if (sum.input !== null) return sum;
    if (coverage === "all") return (isAlone ? usageAround(evidence) : null) ?? sum;
  }
  if (coverage === "zero") return { input: 0, output: 0, cached: null, cacheWrite: null, reasoning: null };
  const agents = evidence.agentNodes;
  if (coverage === "lost") return usageBesides(evidence);
  const counting = coverage === "none" ? countingAgents(evidence) : withCalls(agents, evidence.calls);
  // The tokens of an agent without a span may be missing from the sum.
  const isUnsure = !isAlone || counting.some(showsOneCall) || mayExclude(agents, counting);
  if (coverage === "none" && isUnsure) return unknownUsage;
  const usages = counting.map(spanUsage);
  // An agent span without tokens is missing from the sum, so the sum is unknown.
  return usages.length === 0 || usages.some(({ input }) => input === null || input === 0)
    ? unknownUsage
    : sumUsage(usages);
}

/**
 * Returns the tokens of the innermost span around all calls that reports tokens; null if there is none, or if a call reports its own
 * tokens. A span that also encloses another run counts for neither run.
 */
function usageAround({ calls, nodes }: Evidence): Usage | null {
  if (calls.some(({ usage }) => usage.input !== null || usage.output !== null)) return null;
  const [first] = calls;
  if (first === undefined) return null;
  const encloses = (outer: SpanFacts): boolean => calls.every((call) => isAround(outer, call));
  // A count of zero is a placeholder, because a model was called.
  const counts = (at: SpanFacts): boolean => (countsOf(at).input ?? 0) > 0 && encloses(at);
  // A step around a single call may have the tokens of this call.
  const around = counts(first.node) ? first.node : above(first.node, counts);
  if (around === null || around.role === "call" || showsOneCall(around)) return null;
  return enclosesOthers(around, new Set(nodes)) ? null : spanUsage(around);
}

/** Whether a span encloses a model call that is not one of the run's spans. */
function enclosesOthers(around: SpanFacts, nodes: ReadonlySet<SpanFacts>): boolean {
  const within = [around];
  for (const { children } of within)
    for (const child of children) {
      if (child.role === "call" && !nodes.has(child)) return true;
      within.push(child);
    }
  return false;
}

/** Whether a span encloses a call. The span of a transcript encloses all calls in the transcript. */
function isAround(outer: SpanFacts, call: LlmCall): boolean {
  if (call instanceof TranscriptCall && call.node === outer) return true;
  return above(call.node, (at) => at === outer) !== null;
}

/** Tokens that an agent's own span reports. */
export function spanUsage(node: SpanFacts): Usage {
  return inclusiveUsage(countsOf(node), node);
}

/**
 * Whether an agent span has the counts of a single call, because the client wrote each call's attributes onto it. A response id is the
 * sign, and so is a stored response of a model. If no adapter applies to the span, a finish reason is a sign, too; otherwise the finish
 * reason may be the agent's own.
 */
function showsOneCall(agent: SpanFacts): boolean {
  return (
    agent.responseId !== null ||
    storesResponse(agent) ||
    (agent.dialects.adapters.length === 0 && agent.hasField(F.finish))
  );
}

/**
 * Whether an agent's span stores a response of Gemini, which contains its own usage. Results of agents have other keys (`usage`), whose
 * counts are those of the run.
 */
function storesResponse(agent: SpanFacts): boolean {
  return [F.output, F.outputMessages].some((field) => {
    const stored = agent.valueAt(field);
    if (!isObject(stored) || !(isObject(stored["content"]) || isArray(stored["candidates"]))) return false;
    return isObject(stored["usageMetadata"]) || isObject(stored["usage_metadata"]);
  });
}

/**
 * Whether counts may be excluded from the sums of the `counting` agents: agents within them have counts, too. Some producers add inner sums
 * to the outer sum; other producers do not.
 */
function mayExclude(agents: readonly SpanFacts[], counting: readonly SpanFacts[]): boolean {
  return agents.some((node) => !counting.includes(node) && countsOf(node).input !== undefined);
}

/** Returns the agents that made calls themselves. An agent whose calls are all those of nested agents is excluded. */
function withCalls(agents: readonly SpanFacts[], calls: readonly LlmCall[]): SpanFacts[] {
  const calling = new Set(calls.map(({ node }) => above(node, isAgent)));
  return agents.filter((agent) => calling.has(agent));
}

/** Returns the agent spans with counts that are not nested in another agent span with counts. */
function outermost(agents: readonly SpanFacts[]): SpanFacts[] {
  const counts = (node: SpanFacts): boolean => node.role === "agent" && countsOf(node).input !== undefined;
  return agents.filter((node) => counts(node) && above(node, counts) === null);
}

/** Returns the outermost agents with counts; without any, the step or workflow that contains all agents, if there is one. */
function countingAgents({ root, agentNodes }: Evidence): readonly SpanFacts[] {
  const agents = outermost(agentNodes);
  if (agents.length > 0 || agentNodes.length === 0 || (root.role !== "step" && root.role !== "workflow"))
    return agents;
  return agentNodes.every((agent) => above(agent, (at) => at === root) !== null) ? [root] : agents;
}

/** Returns the number of completed model calls; null if some may be missing from the telemetry, or if several may be parts of one call. */
export function callCount(calls: readonly LlmCall[], coverage: Coverage): number | null {
  if (coverage === "zero") return 0;
  if (coverage !== "all" && coverage !== "counted") return null;
  let count = 0;
  for (const call of calls) {
    const completions = completionsOf(call);
    if (completions === null) return null;
    count += completions;
  }
  return count;
}

/** Returns the number of model calls for which a completed call stands; null if it may be only a part of a model call. */
export function completionsOf(call: LlmCall): number | null {
  return mayBePart(call, call instanceof TranscriptCall) ? null : call.completions;
}

/** Whether a call may be only a part of a model call: a message without usage in a transcript, or a span of a dialect `inParts`. */
function mayBePart({ counts, node, inputs }: LlmCall, isMessage: boolean): boolean {
  if (isMessage) return counts.input === undefined;
  return (
    inputs.length === 0 && !counts.input && node.dialects.adapters.some(({ inParts }) => inParts === true)
  );
}

/**
 * Returns the usage of a run from which a call is missing: the sum of its agent spans. The sum is used only if these spans enclose all
 * recorded calls and have more input tokens than the calls. A sum with fewer output tokens than the calls is ignored, because it counts
 * only the last call.
 */
function usageBesides(evidence: Evidence): Usage {
  const agents = outermost(evidence.agentNodes);
  if (agents.length === 0) return unknownUsage;
  const isWithin = ({ node }: LlmCall): boolean => above(node, (at) => agents.includes(at)) !== null;
  if (!evidence.calls.every(isWithin)) return unknownUsage;
  const sum = sumUsage(agents.map(spanUsage));
  const shown = sumUsage(evidence.calls.map(({ usage }) => usage));
  const exceeds = (sum.input ?? 0) > (shown.input ?? 0) && (sum.output ?? Infinity) >= (shown.output ?? 0);
  return exceeds ? sum : unknownUsage;
}
