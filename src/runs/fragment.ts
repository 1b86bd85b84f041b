import type { Trace } from "../assemble/trace.ts";
import { key } from "../model/telemetry/attribute-key.ts";
import type { CloseReason } from "../model/run.ts";
import type { LlmCall } from "./calls/llm-call.ts";
import type { RunSpans } from "./continuation/is-run.ts";
import { boundedService } from "./notations/names.ts";
import type { SpanFacts } from "./facts/span-facts.ts";

const SERVICE = key("service.name");
/** Maximum number of span links that are followed. */
const MOST_LINKS = 8;

/** The part of a run in one trace. Most runs have one trace, and thus one fragment. */
export class Fragment {
  readonly traceId: string;
  readonly closeReason: CloseReason;
  /** Whether the trace was closed early because of its size or of the memory limit, so that spans may be missing. */
  readonly truncated: boolean;
  /** Whether the session has more log records than were read. */
  readonly isSessionCut: boolean;
  /** Whether the fragment is a failed span without an agent. At the end of the input, it becomes a run only if there is no other run. */
  readonly isErrorOnly: boolean;
  /** Whether the fragment consists of a session's log records, and the same service also sends spans. */
  readonly isBesideSpans: boolean;
  /** Whether the fragment is a model call outside of any agent, which belongs to a run only if log records show the same call. */
  readonly isAsideCall: boolean;
  /** Whether the fragment is only the log record of a prompt, which belongs to a run only if the work on the prompt joins it. */
  readonly isPromptOnly: boolean;
  /**
   * Keys (`spanKey`) of the spans to which the root has OpenTelemetry span links. If the root has none, the nearest span above it with
   * links counts.
   */
  readonly linkedSpans: readonly string[];
  /** Whether this is a turn of a conversation whose turns share a parent span. */
  readonly isTurn: boolean;
  /** The outermost span of the agent, below servers and applications. */
  readonly root: SpanFacts;
  /** Spans of the fragment, ordered by start time. */
  readonly nodes: readonly SpanFacts[];
  /** Model calls by start time: from their spans, or, if no call has a span, from the messages of a transcript. */
  readonly calls: readonly LlmCall[];
  /** Start of the root, Unix milliseconds. */
  readonly start: number;
  /** End of the span that ended last, Unix milliseconds. */
  readonly end: number;
  readonly service: string | null;
  /** The user's text in the log record of the prompt; null if there is none. */
  readonly prompt: string | null;

  constructor(
    trace: Trace,
    { root, nodes, calls, isTurn, isCut = false }: RunSpans,
    kind: "run" | "error" | "aside" | "prompt" = "run",
    prompt: string | null = null,
  ) {
    this.traceId = trace.traceId;
    this.closeReason = trace.closeReason;
    this.truncated = trace.truncated;
    this.isSessionCut = isCut;
    this.isErrorOnly = kind === "error";
    this.isAsideCall = kind === "aside";
    this.isPromptOnly = kind === "prompt";
    this.isBesideSpans = trace.isBesideSpans === true;
    this.linkedSpans = linksAbove(root);
    this.isTurn = isTurn;
    this.root = root;
    this.nodes = nodes;
    this.calls = calls;
    this.start = root.start;
    let end = root.end;
    for (const node of nodes) if (node.end > end) end = node.end;
    this.end = end;
    const service = root.span.resource.text(SERVICE);
    this.service = service === undefined ? null : boundedService(service);
    this.prompt = prompt;
  }
}

/**
 * Returns the keys of the linked spans of the nearest span with links, from the root upwards. A queue's consumer span above the root may
 * have the links.
 */
function linksAbove(root: SpanFacts): readonly string[] {
  for (let at: SpanFacts | null = root; at !== null; at = at.parent)
    if (at.span.links.length > 0) return at.span.links.slice(0, MOST_LINKS).map(spanKey);
  return none;
}

/** Returns a key that identifies a span among all traces; a span id alone is unique only within its trace. */
export function spanKey({ traceId, spanId }: { readonly traceId: string; readonly spanId: string }): string {
  return `${traceId} ${spanId}`;
}

const none: readonly string[] = [];
