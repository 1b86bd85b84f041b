import type { Trace } from "../../assemble/trace.ts";
import { key } from "../../model/telemetry/attribute-key.ts";
import type { CloseReason } from "../../model/run.ts";
import type { LogView } from "../../model/telemetry/span-view.ts";
import type { SpanNode } from "../span/span-node.ts";
import { withoutEarlierUsage } from "./cumulative-usage.ts";
import { innermostCalls } from "./innermost-calls.ts";
import type { LlmCall } from "./llm-call.ts";
import type { RunSpans } from "./split-runs.ts";
import { transcriptCalls } from "./transcript-calls.ts";

const SERVICE = key("service.name");

/** The part of one run that one trace holds: mostly the whole run, a part where a run is spread over several traces. */
export class Fragment {
  readonly traceId: string;
  readonly closeReason: CloseReason;
  /** Spans were cut off when the trace was assembled. */
  readonly truncated: boolean;
  /** Log records of the trace that carry no span id of it. */
  readonly uncorrelatedLogs: readonly LogView[];
  /** A failed span and no agent: a run only if the input holds no other run. */
  readonly isErrorOnly: boolean;
  /** The first span of the trace links to another trace. */
  readonly isLinked: boolean;
  /** A turn of a conversation whose turns lie below one span. */
  readonly isTurn: boolean;
  /** The outermost span of the agent, below servers and applications. */
  readonly root: SpanNode;
  /** By start time. */
  readonly nodes: readonly SpanNode[];
  /** Start of the root, Unix milliseconds. */
  readonly start: number;
  readonly service: string | null;
  /** Model calls by start time: from their spans, else from the messages of a transcript. */
  readonly calls: readonly LlmCall[];

  #end: number | undefined;

  constructor(trace: Trace, { root, nodes, isTurn = false }: RunSpans, isErrorOnly = false) {
    this.traceId = trace.traceId;
    this.closeReason = trace.closeReason;
    this.truncated = trace.truncated;
    this.uncorrelatedLogs = trace.uncorrelatedLogs;
    this.isErrorOnly = isErrorOnly;
    this.isLinked = (trace.spans[0]?.links.length ?? 0) > 0;
    this.isTurn = isTurn;
    this.root = root;
    this.nodes = nodes;
    this.start = root.start;
    this.service = root.span.resource.text(SERVICE) ?? null;
    const calls = innermostCalls(nodes);
    this.calls = calls.length > 0 ? withoutEarlierUsage(calls, nodes) : transcriptCalls(nodes);
  }

  /** End of the span that ended last, Unix milliseconds. */
  get end(): number {
    return (this.#end ??= this.nodes.reduce((latest, { end }) => Math.max(latest, end), this.root.end));
  }
}
