import type { RequestedCall } from "../../model/message.ts";
import type { LlmCall } from "../calls/llm-call.ts";
import { isAbout } from "../calls/tree.ts";
import { readToolSpan } from "../calls/tool-span.ts";
import { withSingleSpaces } from "../continuation/produced-texts.ts";
import { F } from "../facts/fields.ts";
import type { SpanFacts } from "../facts/span-facts.ts";
import type { Fragment } from "../fragment.ts";
import { isOutputName } from "../ledger/output-tools.ts";
import { canonicalJson } from "../ledger/tool-names.ts";
import { argumentsOf } from "../notations/arguments.ts";
import type { ReadMessage } from "../notations/message.ts";
import { plainName } from "../notations/names.ts";
import { storedIn } from "../results/speakers.ts";
import { targetOf } from "../who/handoff-target.ts";

/** How a fragment begins and ends: all that decides whether another one continues it. */
export class FragmentBoundary {
  readonly fragment: Fragment;
  readonly lastCall: LlmCall | null;
  /** No agent's span, and no step or application around its work: the trace of a single call, or of a tool. */
  readonly hasNoAgentSpan: boolean;
  /** What the last call asked for, and has no answer in its own history. */
  readonly lastRequests: readonly RequestedCall[];
  /** The last call asked for something that has to come back. */
  readonly isOpen: boolean;
  /** Messages of the first call's history since the user last spoke: the part of the run that came before. */
  readonly thisTurn: readonly ReadMessage[];
  /** What the user said last in the first call's history; null for nothing. */
  readonly asked: string | null;
  readonly conversation: string | null;

  constructor(fragment: Fragment) {
    this.fragment = fragment;
    const { calls, nodes } = fragment;
    const first = calls[0];
    this.lastCall = calls[calls.length - 1] ?? null;
    this.hasNoAgentSpan = !hasOwner(fragment);
    this.lastRequests = this.lastCall === null ? [] : openRequests(this.lastCall);
    const inputs = first?.inputs ?? [];
    const at = inputs.findLastIndex(({ role, text }) => role === "user" && text !== null && text !== "");
    this.thisTurn = inputs.slice(at + 1);
    const asked = inputs[at]?.text ?? null;
    this.asked = asked === null ? null : withSingleSpaces(asked);
    let conversation: string | null = null;
    for (const node of nodes) conversation ??= node.conversation;
    this.conversation = conversation;
    this.isOpen = this.#isWaiting();
  }

  #isWaiting(): boolean {
    const { lastCall, lastRequests } = this;
    if (lastCall === null) return this.hasNoAgentSpan || this.#isUnanswered();
    const asks =
      lastRequests.length > 0 || (lastCall.finish === "tool_call" && lastCall.requests.length === 0);
    if (!asks || lastRequests.some(({ name }) => name !== null && isOutputName(name))) return false;
    return lastRequests.length === 0 || storedIn(this.fragment.root) === null;
  }

  /** An agent of a conversation that was given a question, and shows neither work on it nor an end. */
  #isUnanswered(): boolean {
    const { nodes, root } = this.fragment;
    if (this.conversation === null || root.role !== "agent") return false;
    if (nodes.some((node) => node !== root && isAbout(node))) return false;
    return root.failure === null && root.hasField(F.input) && !root.hasField(F.output);
  }

  /** Complete in itself: nothing that comes later belongs to it. */
  get isWhole(): boolean {
    return !this.hasNoAgentSpan && !this.isOpen;
  }

  /** Work of a conversation that shows no question. */
  get isWithoutQuestion(): boolean {
    const { calls, root } = this.fragment;
    if (this.conversation === null || root.role !== "agent" || root.hasField(F.input)) return false;
    return calls.every(({ inputs }) => inputs.length === 0);
  }

  /** Whole but for the spans of the tools that its calls asked for: these may be traces of their own. */
  get seeksTools(): boolean {
    const { calls, nodes } = this.fragment;
    if (!this.isWhole || nodes.some(({ role }) => role === "tool")) return false;
    if (calls.length === 0) return nodes.some(({ role }) => role === "agent");
    return calls.some(({ requests, finish }) =>
      requests.length > 0 ? requests.some((request) => !isAside(request)) : finish === "tool_call",
    );
  }

  /** The trace of a tool that ran for an agent in another trace. */
  get isLoneTool(): boolean {
    const { root, calls } = this.fragment;
    return root.role === "tool" && calls.length === 0 && this.hasNoAgentSpan;
  }

  /** Begins like the middle of a run: what came before may be in another trace. */
  get mayContinue(): boolean {
    const { isLinked, calls } = this.fragment;
    return (
      isLinked ||
      calls.length === 0 ||
      this.isWithoutQuestion ||
      this.thisTurn.some(({ role }) => role !== "system") ||
      this.#leading.length > 0
    );
  }

  /** A user's question that nobody answered yet: the beginning of a run. */
  get startsAnew(): boolean {
    const { calls, root } = this.fragment;
    const [first] = calls;
    if (first === undefined) return root.role === "agent" && root.hasField(F.input);
    return first.inputs.length > 0 && this.thisTurn.length === 0;
  }

  /** Its history holds calls that no fragment of the run made. */
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

  /** To whom the last call handed over. */
  get targets(): readonly string[] {
    return this.lastRequests.flatMap(({ name, arguments: args }) => {
      const target = name === null ? undefined : targetOf(name, argumentsOf(args).value, () => undefined);
      return target === undefined || target === "back" ? [] : [plainName(target.to)];
    });
  }

  /** Tools that ran before the fragment's first call, by name and arguments. */
  get leadingTools(): readonly string[] {
    return this.#leading.map(toolSignature);
  }

  /** The ids of the requests that they answer. */
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

  /** What ran, or was asked for by the last call, without a result. */
  get unanswered(): readonly string[] {
    const ran = this.fragment.nodes.filter(
      (node) => node.role === "tool" && readToolSpan(node).result === undefined,
    );
    return [...ran.map(toolSignature), ...this.lastRequests.map(signatureOf)];
  }

  /** The model call of a trace that holds nothing else: it may be a client's view of a call that another trace shows; null for none. */
  get loneCall(): LlmCall | null {
    const { calls, nodes } = this.fragment;
    if (calls.length !== 1 || !this.hasNoAgentSpan || nodes.some(({ role }) => role === "tool")) return null;
    return this.lastCall;
  }
}

/** It gives the answer, or hands over: no tool runs for it. */
function isAside({ name, arguments: args }: RequestedCall): boolean {
  if (name === null) return false;
  return isOutputName(name) || targetOf(name, argumentsOf(args).value, () => undefined) !== undefined;
}

function hasOwner({ root, nodes }: Fragment): boolean {
  let top = root;
  while (top.parent !== null) top = top.parent;
  const isAround = root.role === "step" ? root.children.length > 0 : top !== root;
  if (isAround && top.span.parentSpanId === undefined) return true;
  return nodes.some(({ role }) => role === "agent" || role === "workflow");
}

/** A span that stands for several calls has the answers to some of its requests in its own history. */
function openRequests(call: LlmCall): readonly RequestedCall[] {
  const { requests, inputs } = call;
  if (requests.length === 0) return requests;
  if (call.isServed(requests)) return [];
  const answered = new Set<string>();
  for (const { results } of inputs)
    for (const { callId } of results) if (callId !== null) answered.add(callId);
  return answered.size === 0 ? requests : requests.filter(({ id }) => id === null || !answered.has(id));
}

function toolSignature(node: SpanFacts): string {
  const { name, arguments: args } = readToolSpan(node);
  return `${plainName(name ?? "")} ${canonicalJson(args)}`;
}

/** A request by name and arguments. */
export function signatureOf({ name, arguments: args }: Pick<RequestedCall, "name" | "arguments">): string {
  return `${plainName(name ?? "")} ${canonicalJson(argumentsOf(args).value)}`;
}
