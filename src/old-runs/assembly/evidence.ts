import { Findings } from "../../support/structures/once.ts";
import type { Fragment } from "../fragments/fragment.ts";
import type { LlmCall } from "../fragments/llm-call.ts";
import type { SpanNode } from "../span/span-node.ts";
import { coversSeveral } from "./covering.ts";
import { MessageRecords } from "./message-records.ts";
import { CallRecords } from "./call-records.ts";
import { sortCalls } from "./sort-calls.ts";

const noCopies: ReadonlyMap<LlmCall, readonly LlmCall[]> = new Map();

/** All that the telemetry holds of one run, in order, over all its traces. */
export class Evidence {
  /** By start. */
  readonly fragments: readonly [Fragment, ...Fragment[]];
  readonly root: SpanNode;
  readonly nodes: readonly SpanNode[];
  /** Parts of the run are in traces that were not received. */
  readonly isSpread: boolean;
  /** Model calls that were answered, by start. */
  readonly calls: readonly LlmCall[];
  /** Attempts that failed, by start. */
  readonly failedCalls: readonly LlmCall[];
  /** Answered and failed, by start. */
  readonly allCalls: readonly LlmCall[];
  readonly toolNodes: readonly SpanNode[];
  readonly agentNodes: readonly SpanNode[];
  readonly handoffNodes: readonly SpanNode[];
  readonly retrieverNodes: readonly SpanNode[];
  readonly guardrailNodes: readonly SpanNode[];
  #records: CallRecords | undefined;
  #messageRecords: MessageRecords | undefined;
  #lastCall: LlmCall | null | undefined;
  readonly #findings = new Findings<Evidence>();

  /** `copies`: for a call the duplicates of it in other traces. */
  constructor(
    fragments: readonly [Fragment, ...Fragment[]],
    copies: ReadonlyMap<LlmCall, readonly LlmCall[]> = noCopies,
    isSpread = false,
  ) {
    this.fragments = fragments;
    this.isSpread = isSpread;
    this.root = fragments[0].root;
    const isSingle = fragments.length === 1;
    this.nodes = isSingle ? fragments[0].nodes : fragments.flatMap(({ nodes }) => nodes);
    const calls = isSingle ? fragments[0].calls : fragments.flatMap((fragment) => fragment.calls);
    const { served, failed, all } = sortCalls(
      copies.size === 0 ? calls : calls.map((call) => complete(call, copies)),
      this.nodes,
    );
    this.calls = served;
    this.failedCalls = failed;
    this.allCalls = all;
    const tools: SpanNode[] = [];
    const agents: SpanNode[] = [];
    const handoffs: SpanNode[] = [];
    const retrievers: SpanNode[] = [];
    const guardrails: SpanNode[] = [];
    for (const node of this.nodes) {
      const { role } = node;
      if (role === "tool") tools.push(node);
      else if (role === "agent") agents.push(node);
      else if (role === "handoff") handoffs.push(node);
      else if (role === "retriever") retrievers.push(node);
      else if (role === "guardrail") guardrails.push(node);
    }
    this.toolNodes = tools;
    this.agentNodes = agents;
    this.handoffNodes = handoffs;
    this.retrieverNodes = retrievers;
    this.guardrailNodes = guardrails;
  }

  /** The call that ended last: a span that covers several calls may end after the last one. */
  get lastCall(): LlmCall | undefined {
    if (this.#lastCall === undefined) {
      const last = this.calls[this.calls.length - 1];
      const covering =
        last &&
        this.calls.find((call) => call.end > last.end && (call.completions > 1 || coversSeveral(call, this)));
      this.#lastCall = covering ?? last ?? null;
    }
    return this.#lastCall ?? undefined;
  }

  /** Records about calls that stand on other spans than the calls' own. */
  get records(): CallRecords {
    return (this.#records ??= new CallRecords(this.nodes));
  }

  /** Messages about tool calls on spans of agents and steps; computed only where neither the tools' own spans nor histories have all. */
  get messageRecords(): MessageRecords {
    return (this.#messageRecords ??= new MessageRecords(this.nodes));
  }

  /** The result of `find`, computed once. */
  once<T>(find: (evidence: Evidence) => T): T {
    return this.#findings.of(this, find);
  }
}

/** A call with what its duplicates in other traces hold of it. */
function complete(call: LlmCall, copies: ReadonlyMap<LlmCall, readonly LlmCall[]>): LlmCall {
  const own = copies.get(call);
  return own === undefined ? call : call.with(own.map(({ node }) => node));
}

/** The trace of one of the run's spans; nearly all runs have one trace. */
export function traceIdOf({ span }: SpanNode, { fragments }: Pick<Evidence, "fragments">): string {
  return fragments.length === 1 ? fragments[0].traceId : span.traceId;
}
