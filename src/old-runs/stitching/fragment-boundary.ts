import type { LlmCall } from "../fragments/llm-call.ts";
import type { Fragment } from "../fragments/fragment.ts";
import { plainName } from "../messages/pick.ts";
import type { SpanNode } from "../span/span-node.ts";
import type { Message, RequestedCall } from "../../model/message.ts";
import { canonicalArguments } from "../text/canonical-arguments.ts";
import { targetOf } from "../assembly/handoff-target.ts";
import { isOutputName, storedIn } from "../assembly/output-tool.ts";
import { withSingleSpaces } from "../text/holds-text.ts";

/** How a fragment begins and ends: all that decides whether another one continues it. Read when first asked for. */
export class FragmentBoundary {
  readonly fragment: Fragment;
  #lastRequests: readonly RequestedCall[] | undefined;
  #thisTurn: readonly Message[] | undefined;
  #hasNoAgentSpan: boolean | undefined;
  #isOpen: boolean | undefined;
  #seeksTools: boolean | undefined;
  #targets: readonly string[] | undefined;
  #conversation: string | null | undefined;

  constructor(fragment: Fragment) {
    this.fragment = fragment;
  }

  get lastCall(): LlmCall | undefined {
    const { calls } = this.fragment;
    return calls[calls.length - 1];
  }

  /** No agent's span, and no step or application around its work: the trace of a single call, or of a tool. */
  get hasNoAgentSpan(): boolean {
    return (this.#hasNoAgentSpan ??= !this.#hasOwner());
  }

  #hasOwner(): boolean {
    const { root, nodes } = this.fragment;
    let top = root;
    while (top.parent !== undefined) top = top.parent;
    const isAround = root.role === "step" ? root.children.length > 0 : top !== root;
    if (isAround && top.span.parentSpanId === undefined) return true;
    return nodes.some(({ role }) => role === "agent" || role === "workflow");
  }

  /** What the last call asked for. */
  get lastRequests(): readonly RequestedCall[] {
    return (this.#lastRequests ??= this.#openRequests());
  }

  /** A span that stands for several calls has the answers to some of its requests in its own history. */
  #openRequests(): readonly RequestedCall[] {
    const call = this.lastCall;
    if (call === undefined || call.requests.length === 0) return [];
    const answered = new Set<string | null>();
    for (const { results } of call.inputs) for (const { callId } of results) answered.add(callId);
    return answered.size === 0
      ? call.requests
      : call.requests.filter(({ id }) => id === null || !answered.has(id));
  }

  /** The last call asked for something that has to come back. */
  get isOpen(): boolean {
    return (this.#isOpen ??= this.#findOpen());
  }

  #findOpen(): boolean {
    const { lastCall } = this;
    if (lastCall === undefined) return this.hasNoAgentSpan;
    const asks =
      this.lastRequests.length > 0 || (lastCall.finish === "tool_call" && lastCall.requests.length === 0);
    if (!asks || this.lastRequests.some(({ name }) => name !== null && isOutputName(name))) return false;
    return this.lastRequests.length === 0 || storedIn(this.fragment.root) === undefined;
  }

  /** Complete in itself: nothing that comes later belongs to it. */
  get isWhole(): boolean {
    return !this.hasNoAgentSpan && !this.isOpen;
  }

  /** Whole but for the spans of the tools that its calls asked for: these may be traces of their own. */
  get seeksTools(): boolean {
    return (this.#seeksTools ??= this.#lacksTools());
  }

  #lacksTools(): boolean {
    const { calls, nodes } = this.fragment;
    if (nodes.some(({ role }) => role === "tool") || !this.isWhole) return false;
    if (calls.length === 0) return nodes.some(({ role }) => role === "agent");
    return calls.some(({ requests, finish }) =>
      requests.length > 0
        ? requests.some(({ name, arguments: args }) => name === null || !isAside(name, args))
        : finish === "tool_call",
    );
  }

  /** The trace of a tool that ran for an agent in another trace. */
  get isLoneTool(): boolean {
    return this.fragment.root.role === "tool" && this.fragment.calls.length === 0 && this.hasNoAgentSpan;
  }

  /** Begins like the middle of a run: what came before may be in another trace. */
  get mayContinue(): boolean {
    return (
      this.fragment.isLinked ||
      this.fragment.calls.length === 0 ||
      this.thisTurn.length > 0 ||
      this.#leading.length > 0
    );
  }

  /** A user's question that nobody answered yet: the beginning of a run. */
  get startsAnew(): boolean {
    const first = this.fragment.calls[0];
    return first !== undefined && first.inputs.length > 0 && this.thisTurn.length === 0;
  }

  /** Its history holds calls that no fragment of the run made. */
  get beginsElsewhere(): boolean {
    return this.hasNoAgentSpan && this.thisTurn.some(({ calls }) => calls.length > 0);
  }

  /** Messages of the first call's history since the user last spoke: the part of the run that came before. */
  get thisTurn(): readonly Message[] {
    return (this.#thisTurn ??= sinceUser(this.fragment.calls[0]?.inputs ?? []));
  }

  /** What the user said last in the first call's history. */
  get asked(): string | undefined {
    const inputs = this.fragment.calls[0]?.inputs ?? [];
    const text = inputs.findLast((message) => message.role === "user" && message.text !== null)?.text;
    return text === undefined || text === null || text === "" ? undefined : withSingleSpaces(text);
  }

  get finalText(): string | undefined {
    const text = this.lastCall?.text;
    return text === undefined || text === "" ? undefined : withSingleSpaces(text);
  }

  get conversation(): string | undefined {
    if (this.#conversation === undefined) this.#conversation = this.#findConversation() ?? null;
    return this.#conversation ?? undefined;
  }

  #findConversation(): string | undefined {
    for (const node of this.fragment.nodes) {
      const id = node.text("conversation");
      if (id !== undefined) return id;
    }
    return undefined;
  }

  get firstAgent(): string | undefined {
    const agent = this.fragment.nodes.find(({ role }) => role === "agent");
    const name = agent === undefined ? undefined : agent.agentName;
    return name === undefined ? undefined : plainName(name);
  }

  /** To whom the last call handed over. */
  get targets(): readonly string[] {
    return (this.#targets ??= this.lastRequests.flatMap(({ name, arguments: args }) => {
      const target = name === null ? undefined : targetOf(name, args, () => undefined);
      return target === undefined || target === "back" ? [] : [plainName(target.to)];
    }));
  }

  /** Tools that ran before the fragment's first call. */
  get leadingTools(): readonly string[] {
    return this.#leading.map(toolSignature);
  }

  get #leading(): readonly SpanNode[] {
    const first = this.fragment.calls[0]?.start ?? Infinity;
    return this.fragment.nodes.filter(({ role, start }) => role === "tool" && start < first);
  }

  /** What ran, or was asked for by the last call, without a result. */
  get unanswered(): readonly string[] {
    const ran = this.fragment.nodes
      .filter((node) => node.role === "tool" && node.tool.result === undefined)
      .map(toolSignature);
    return [
      ...ran,
      ...this.lastRequests.map(({ name, arguments: args }) => signature(name ?? undefined, args)),
    ];
  }
}

/** It gives the answer, or hands over: no tool runs for it. */
function isAside(name: string, args: RequestedCall["arguments"]): boolean {
  return isOutputName(name) || targetOf(name, args, () => undefined) !== undefined;
}

const noMessages: readonly Message[] = [];

function sinceUser(messages: readonly Message[]): readonly Message[] {
  const last = messages.findLastIndex(({ role, text }) => role === "user" && text !== null && text !== "");
  return last + 1 === messages.length ? noMessages : messages.slice(last + 1);
}

function toolSignature(node: SpanNode): string {
  const tool = node.tool;
  return signature(tool.name, tool.arguments);
}

export function signature(name: string | undefined, args: Parameters<typeof canonicalArguments>[0]): string {
  return `${plainName(name ?? "")} ${canonicalArguments(args)}`;
}
