import type { RequestedCall } from "../../model/message.ts";
import type { LlmCall } from "../calls/llm-call.ts";
import { isAbout, isTool, under } from "../calls/tree.ts";
import { readToolSpan } from "../calls/tool-span.ts";
import { withSingleSpaces } from "../continuation/produced-texts.ts";
import { F } from "../facts/fields.ts";
import { RecordView } from "../facts/record-view.ts";
import type { SpanFacts } from "../facts/span-facts.ts";
import type { Fragment } from "../fragment.ts";
import { isOutputName } from "../ledger/output-tools.ts";
import { argumentsKey, argumentsOf, signatureOf } from "../notations/arguments.ts";
import type { ReadMessage } from "../notations/message.ts";
import { plainName } from "../notations/names.ts";
import { storedIn } from "../results/speakers.ts";
import { lastQuestionAt, questionIn } from "../who/asked-sub-agent.ts";
import { isTransfer, targetOf } from "../who/handoff-target.ts";

/** Maximum number of spans in a fragment that is searched for delegations. Larger fragments are not searched. */
const MOST_SPANS = 1_000;

/** Properties of the beginning and end of a fragment. They decide whether another fragment continues this one, or precedes it. */
export class FragmentBoundary {
  readonly fragment: Fragment;
  readonly lastCall: LlmCall | null;
  /** Whether the fragment has no agent span, step or application span: it is then the trace of a single call or tool. */
  readonly hasNoAgentSpan: boolean;
  /** Requests of the last call that have no result in this call's own history. */
  readonly lastRequests: readonly RequestedCall[];
  /**
   * Whether the fragment is unfinished. Either its last call requested a tool whose result must follow. Or it has no model call, and
   * consists of a single tool, or of an agent without an answer.
   */
  readonly isOpen: boolean;
  /** Messages of the first call's history after the user's last message: they belong to the earlier part of the run. */
  readonly thisTurn: readonly ReadMessage[];
  /** The user's last message in the first call's history; null if there is none. */
  readonly question: string | null;
  readonly conversation: string | null;
  /** Tools that started an agent that has no spans in this trace. The agent's own trace has an OpenTelemetry span link to the tool. */
  readonly delegations: readonly SpanFacts[];

  constructor(fragment: Fragment) {
    this.fragment = fragment;
    const { calls, nodes } = fragment;
    const first = calls[0];
    this.lastCall = calls[calls.length - 1] ?? null;
    this.hasNoAgentSpan = !hasOwner(fragment);
    this.lastRequests = this.lastCall === null ? [] : openRequests(this.lastCall);
    const inputs = first?.inputs ?? [];
    this.thisTurn = inputs.slice(lastQuestionAt(inputs) + 1);
    this.question = questionIn(inputs);
    let conversation: string | null = null;
    for (const node of nodes) conversation ??= node.conversation;
    this.conversation = conversation;
    this.isOpen = this.#isWaiting();
    const tools = this.isWhole && nodes.length <= MOST_SPANS ? nodes.filter(isTool) : [];
    this.delegations = tools.filter(isDelegation);
  }

  #isWaiting(): boolean {
    const { lastCall, lastRequests } = this;
    if (lastCall === null) return this.hasNoAgentSpan || this.#isUnanswered();
    const asks =
      lastRequests.length > 0 ||
      (lastCall.finish === "tool_call" && lastCall.requests.length === 0) ||
      (this.hasNoAgentSpan && this.question !== null && isUnrecorded(lastCall));
    if (!asks || lastRequests.some(({ name }) => name !== null && isOutputName(name))) return false;
    // In a call without an agent, a text next to the requests is not an agent's stored answer.
    const { root } = this.fragment;
    return lastRequests.length === 0 || root === lastCall.node || storedIn(root) === null;
  }

  /**
   * Whether the fragment is an agent of a conversation with a query, but without model calls, tools or an end. If an agent writes log
   * records, its calls may be in records without a trace id, even if its tools are in this trace.
   */
  #isUnanswered(): boolean {
    const { nodes, root } = this.fragment;
    if (this.conversation === null || root.role !== "agent") return false;
    if (root.span instanceof RecordView) return true;
    if (nodes.some((node) => node !== root && isAbout(node))) return false;
    return root.failure === null && root.hasField(F.input) && !root.hasField(F.output);
  }

  /** Whether the fragment is a complete run, so that no later fragment belongs to it. */
  get isWhole(): boolean {
    return !this.hasNoAgentSpan && !this.isOpen;
  }

  /** Whether the fragment is an agent of a conversation, and neither its root nor its calls have an input, such as the query. */
  get isWithoutQuestion(): boolean {
    const { calls, root } = this.fragment;
    if (this.conversation === null || !isAgentOrFlow(root) || root.hasField(F.input)) return false;
    return calls.every(({ inputs }) => inputs.length === 0);
  }

  /**
   * Whether the fragment is a call that was refused, or whose stream broke off, before any work. The client may repeat the call in another
   * trace.
   */
  get mayBeRepeated(): boolean {
    const { lastCall, question, conversation, hasNoAgentSpan } = this;
    if (!hasNoAgentSpan || question === null || conversation === null || this.thisTurn.length > 0)
      return false;
    if (lastCall === null) return false;
    return lastCall.node.failure === null ? lastCall.isBrokenOff : lastCall.outputs.length === 0;
  }

  /** Whether the fragment is complete except for the spans of requested tools. These spans may be in separate traces. */
  get seeksTools(): boolean {
    const { calls, nodes } = this.fragment;
    if (!this.isWhole || nodes.some(({ role }) => role === "tool")) return false;
    if (calls.length === 0) return nodes.some(({ role }) => role === "agent");
    return calls.some(({ requests, finish }) =>
      requests.length > 0 ? requests.some((request) => !isAside(request)) : finish === "tool_call",
    );
  }

  /** Whether the fragment is the trace of one tool whose agent is in another trace. */
  get isLoneTool(): boolean {
    const { root, calls } = this.fragment;
    return root.role === "tool" && calls.length === 0 && this.hasNoAgentSpan;
  }

  /**
   * Whether the fragment names its session, and has neither an agent nor a query. The session's log records may have both. Some producers
   * export each span of a session in a separate trace.
   */
  get isSessionPart(): boolean {
    const { root, calls, isAsideCall } = this.fragment;
    if (this.conversation === null || !this.hasNoAgentSpan) return false;
    return (
      isAsideCall ||
      (calls.every(({ inputs }) => inputs.length === 0) && (root.role === "tool" || !root.hasField(F.input)))
    );
  }

  /** Whether the fragment begins in the middle of a run, so that an earlier part may be in another trace. */
  get mayContinue(): boolean {
    const { linkedSpans, calls } = this.fragment;
    return (
      linkedSpans.length > 0 ||
      calls.length === 0 ||
      this.isWithoutQuestion ||
      this.thisTurn.some(({ role }) => role !== "system") ||
      this.#leading.length > 0
    );
  }

  /**
   * Whether the fragment begins a run: the history of its first call has nothing after the user's query. The agent in a trace of a tool only
   * helps the agent that called the tool.
   */
  get startsAnew(): boolean {
    const { calls, root } = this.fragment;
    const [first] = calls;
    if (root.role === "tool") return false;
    if (first === undefined) return root.role === "agent" && root.hasField(F.input);
    return first.inputs.length > 0 && this.thisTurn.length === 0;
  }

  /** Whether the fragment is the trace of a call whose history has tool requests after the user's query. Its run began in another trace. */
  get beginsElsewhere(): boolean {
    return this.hasNoAgentSpan && this.thisTurn.some(({ calls }) => calls.length > 0);
  }

  get finalText(): string | null {
    const text = this.lastCall?.text ?? null;
    return text === null || text === "" ? null : withSingleSpaces(text);
  }

  get firstAgent(): string | null {
    const name = this.fragment.nodes.find(({ role }) => role === "agent")?.agentName ?? null;
    return name === null ? null : plainName(name);
  }

  /** Hand-off targets that the last call requested, as normalised names (`plainName`). */
  get targets(): readonly string[] {
    return this.lastRequests.flatMap(({ name, arguments: args }) => {
      const target = name === null ? undefined : targetOf(name, argumentsOf(args).value, () => undefined);
      return target === undefined || target === "back" ? [] : [plainName(target.to)];
    });
  }

  /** Signatures (name and arguments) of the tools that ran before the fragment's first model call. */
  get leadingTools(): readonly string[] {
    return this.#leading.flatMap(toolSignatures);
  }

  /** Ids of the requests of `leadingTools`. */
  get leadingIds(): readonly string[] {
    return this.#leading.flatMap(({ callId }) => callId ?? []);
  }

  get #leading(): readonly SpanFacts[] {
    const { calls, nodes } = this.fragment;
    const start = calls[0]?.start ?? Infinity;
    const found: SpanFacts[] = [];
    for (const node of nodes) {
      if (node.start >= start) break;
      if (node.role === "tool") found.push(node);
    }
    return found;
  }

  /** Signatures of the tools that ran without a result, and of the tools that the last call requested. */
  get unanswered(): readonly string[] {
    const ran = this.fragment.nodes.filter(
      (node) => node.role === "tool" && readToolSpan(node).result === undefined,
    );
    return [...ran.flatMap(toolSignatures), ...this.lastRequests.map(signatureOf)];
  }

  /** Whether the instrumentation of the fragment makes traces of its own, so that another trace may show the same run. */
  get isIsolated(): boolean {
    return this.fragment.root.dialects.adapters.some(({ isIsolated }) => isIsolated === true);
  }

  /**
   * The model calls of three kinds of traces: without agents and tools, without contents, or of an isolated instrumentation (`isIsolated`);
   * otherwise empty. Such a call may duplicate a call in another trace, which the model's client or another instrumentation recorded.
   */
  get bareCalls(): readonly LlmCall[] {
    const { calls, nodes, isAsideCall, isBesideSpans } = this.fragment;
    if (isAsideCall || isBesideSpans) return [];
    const isBare = this.hasNoAgentSpan && !nodes.some(({ role }) => role === "tool");
    return isBare || this.isWithoutQuestion || this.isIsolated ? calls : [];
  }
}

/** Whether a request is the answer or a hand-off, so that it runs no tool. */
function isAside({ name, arguments: args }: RequestedCall): boolean {
  if (name === null) return false;
  return isOutputName(name) || targetOf(name, argumentsOf(args).value, () => undefined) !== undefined;
}

/** Whether a tool passes its work to an agent, and no span below the tool shows this agent. */
function isDelegation(tool: SpanFacts): boolean {
  if (under(tool).some(({ role }) => role === "agent" || role === "call")) return false;
  const { name, arguments: args } = readToolSpan(tool);
  return name !== null && targetOf(name, args, () => undefined) !== undefined && !isTransfer(name);
}

function hasOwner({ root, nodes, calls }: Fragment): boolean {
  let top = root;
  while (top.parent !== null) top = top.parent;
  // A step around tools alone is a part of the agent, as are the tools.
  const isAround = root.role === "step" ? root.children.length > 0 && calls.length > 0 : top !== root;
  if (isAround && top.span.parentSpanId === undefined) return true;
  return nodes.some(isAgentOrFlow);
}

function isAgentOrFlow({ role }: SpanFacts): boolean {
  return role === "agent" || role === "workflow";
}

/**
 * Whether a call reports output tokens, but has neither an output nor a failure nor a finish reason, as with some producers' streams. The
 * unrecorded output may be a tool request.
 */
function isUnrecorded({ outputs, finish, failure, counts }: LlmCall): boolean {
  return (
    finish === null && failure === null && outputs.every(({ isEmpty }) => isEmpty) && (counts.output ?? 0) > 0
  );
}

/** Returns the call's requests that have no result yet. A span that covers several calls has some results in its own history. */
function openRequests(call: LlmCall): readonly RequestedCall[] {
  const { requests, inputs } = call;
  if (requests.length === 0) return requests;
  if (call.isServed(requests)) return [];
  const answered = new Set<string>();
  for (const { results } of inputs)
    for (const { callId } of results) if (callId !== null) answered.add(callId);
  return answered.size === 0 ? requests : requests.filter(({ id }) => id === null || !answered.has(id));
}

/** Returns the name and arguments of a tool; empty if only its call id can tell it from other calls, because no arguments are recorded. */
function toolSignatures(node: SpanFacts): readonly string[] {
  const { name, callId, arguments: args } = readToolSpan(node);
  if (args === undefined && callId !== null) return [];
  return [`${plainName(name ?? "")} ${argumentsKey(args)}`];
}
