import type { SpanRole } from "../../adapters/span-roles.ts";
import type { LlmCall } from "./calls/llm-call.ts";
import { sortCalls } from "./calls/sort-calls.ts";
import type { SpanFacts } from "./facts/span-facts.ts";
import type { Fragment } from "./fragment.ts";
import { CallRecords } from "./ledger/records.ts";

const none: readonly SpanFacts[] = [];

/** All telemetry of one run. If the run spans several traces, their telemetry is in order of start. */
export class Evidence {
  /** Fragments of the run, ordered by start time. */
  readonly fragments: readonly [Fragment, ...Fragment[]];
  readonly root: SpanFacts;
  readonly nodes: readonly SpanFacts[];
  /** Whether traces of the run may be missing. */
  readonly isSpread: boolean;
  /** Completed model calls, in order of start. */
  readonly calls: readonly LlmCall[];
  /** Attempts that failed, by start. */
  readonly failedCalls: readonly LlmCall[];
  /** Completed and failed model calls, in order of start. */
  readonly allCalls: readonly LlmCall[];
  /** The last call, if it was cancelled or the telemetry does not show its end; otherwise null. */
  readonly unendedCall: LlmCall | null;
  readonly toolNodes: readonly SpanFacts[];
  readonly agentNodes: readonly SpanFacts[];
  readonly handoffNodes: readonly SpanFacts[];
  readonly retrieverNodes: readonly SpanFacts[];
  readonly guardrailNodes: readonly SpanFacts[];
  /** Spans of evaluations and of memory changes, which are not steps of the run. */
  readonly besideNodes: readonly SpanFacts[];

  constructor(fragments: readonly [Fragment, ...Fragment[]], isSpread = false) {
    this.fragments = fragments;
    this.isSpread = isSpread;
    const [first] = fragments;
    this.root = first.root;
    const isSingle = fragments.length === 1;
    this.nodes = isSingle ? first.nodes : fragments.flatMap(({ nodes }) => nodes);
    const calls = isSingle ? first.calls : fragments.flatMap((fragment) => fragment.calls);
    const byRole: Partial<Record<SpanRole, SpanFacts[]>> = {};
    for (const node of this.nodes) (byRole[node.role] ??= []).push(node);
    this.toolNodes = byRole.tool ?? none;
    this.agentNodes = byRole.agent ?? none;
    this.handoffNodes = byRole.handoff ?? none;
    this.retrieverNodes = byRole.retriever ?? none;
    this.guardrailNodes = byRole.guardrail ?? none;
    this.besideNodes = [...(byRole.evaluation ?? none), ...(byRole.memory ?? none)];
    const { served, failed, all, unended } = sortCalls(calls, this.nodes);
    this.calls = served;
    this.failedCalls = failed;
    this.allCalls = all;
    this.unendedCall = unended;
  }

  #records: CallRecords | null = null;

  /** Log records and span events that describe tool calls and model calls outside their own spans. */
  get records(): CallRecords {
    return (this.#records ??= new CallRecords(this.nodes));
  }

  /** The trace of a span of the run; most runs have one trace. */
  traceIdOf({ span }: SpanFacts): string {
    return this.fragments.length === 1 ? this.fragments[0].traceId : span.traceId;
  }
}
