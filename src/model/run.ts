import type { Fault } from "./fault.ts";
import type { JsonValue } from "./json.ts";
import type { Message } from "./message.ts";
import type { Playback } from "./playback.ts";
import type { SourceLine } from "./source-line.ts";

/**
 * A missing fact and its cause. `what` is a field of the run ("tokens", "answer", "tool_arguments"), or a
 * path ("conversation_id", "llm.finish_reason").
 */
export interface Missing {
  readonly what: string;
  readonly why: string;
}

/**
 * Tokens of one call or a whole run. Cached and cache-write tokens are part of `input`, reasoning is part of
 * `output`.
 */
export interface Usage {
  readonly input: number | null;
  readonly output: number | null;
  readonly cached: number | null;
  readonly cacheWrite: number | null;
  /** Tokens written to a one-hour cache; absent if not reported. */
  readonly longCacheWrite?: number | null;
  readonly reasoning: number | null;
}

export interface ModelCall {
  readonly spanId: string | null;
  readonly traceId: string;
  readonly agent: string | null;
  readonly model: string | null;
  readonly responseModel: string | null;
  readonly finishReason: string | null;
  /** The provider's id of the completion, if the telemetry contains it. */
  readonly responseId?: string | null;
  readonly usage: Usage;
  readonly costUsd: number | null;
  /** Service tier of the call, if it differs from the provider's default: `flex`, `batch`, `priority`. */
  readonly serviceTier?: string | null;
  readonly startUnixMs: number | null;
  readonly durationMs: number | null;
  readonly error: string | null;
}

export interface ToolCall {
  readonly spanId: string | null;
  readonly traceId: string;
  /** Name of the tool; null if the telemetry does not name it. */
  readonly name: string | null;
  readonly arguments: JsonValue | undefined;
  readonly result: JsonValue | undefined;
  /** Error message; null if there is none. */
  readonly error: string | null;
  readonly agent: string | null;
  readonly callId: string | null;
  readonly startUnixMs: number | null;
  readonly durationMs: number | null;
  /**
   * Whether the call was executed. False if the model requested the call and the tool did not run: only then
   * the call does not count as a use of the tool. Null if unknown.
   */
  readonly executed: boolean | null;
  readonly retried: boolean;
}

export interface Handoff {
  readonly spanId: string | null;
  readonly from: string | null;
  readonly to: string;
  /**
   * How the hand-off was recorded: "tool", "span", "agent" (a nested agent), or "change" (another agent made
   * the next call).
   */
  readonly kind: string;
  readonly inferred: boolean;
  /** Function that the model called for the hand-off; null if unknown, or if no function was called. */
  readonly tool?: string | null;
}

export interface RetrievedDocument {
  readonly id: string | null;
  readonly content: string | null;
  readonly score: number | null;
}

export interface Retrieval {
  readonly spanId: string | null;
  readonly query: string | null;
  readonly documents: readonly RetrievedDocument[];
}

export interface Guardrail {
  readonly spanId: string | null;
  readonly name: string;
  readonly triggered: boolean | null;
}

/**
 * A run that can list its missing values without the entries for details. Detail entries cost more to
 * compute, and checks do not read them.
 */
export interface TellsMissingValues {
  /** Entries of `missing`, without those for details. */
  readonly missingValues: readonly Missing[];
}

/** A step in the order of the run. */
export interface PlacedStep {
  readonly kind: "model" | "tool" | "handoff" | "retrieval" | "guardrail";
  /** Index of the step in the run's list of its kind. */
  readonly index: number;
  /**
   * Start time; null if unknown. Steps without a start time are ordered by the messages of the conversation
   * and by call ids.
   */
  readonly startUnixMs: number | null;
}

export type CloseReason =
  | "root_complete"
  | "root_partial"
  | "root_cap"
  | "idle"
  | "max_age"
  | "too_large"
  | "memory"
  | "shutdown"
  | "eof"
  // Other spans of the run's traces were sent to another process.
  | "split";

/**
 * One execution of an agent for one query, in the same shape for every dialect. Checks, reports and exports
 * read this shape instead of attributes. A single value that is unknown is `null`, not zero or empty; `missing` lists what else is unknown. Texts and messages
 * are decoded on first use.
 */
export interface AgentRun {
  /**
   * `<trace_id>-<span_id>` of the root span when the run was first found. Late spans do not change the id.
   */
  readonly runId: string;
  readonly traceId: string;
  /** Ids of all traces of the run, in order of start; the first is `traceId`. */
  readonly traceIds: readonly string[];
  readonly rootSpanId: string;
  readonly service: string | null;
  readonly agent: string | null;
  readonly finalAgent: string | null;
  readonly conversationId: string | null;
  readonly query: string | null;
  readonly answer: string | null;
  /** Beginning of the answer if the telemetry truncated the answer; `answer` is then null. */
  readonly answerBegin?: string;
  /** Status of the run; null if the telemetry does not contain it, for example after a crash. */
  readonly status: "ok" | "error" | null;
  /** Error message from the telemetry if the status is "error"; null otherwise. */
  readonly error: string | null;
  /** Tool calls in the order of the model's requests; hand-offs are not tools. */
  readonly tools: readonly ToolCall[];
  readonly handoffs: readonly Handoff[];
  /** Agents that are available for hand-offs; null if the telemetry does not list them. */
  readonly handoffsAvailable: readonly string[] | null;
  readonly retrievals: readonly Retrieval[];
  readonly guardrails: readonly Guardrail[];
  /** Number of model calls; null if the telemetry may lack some of them. */
  readonly llmCalls: number | null;
  readonly llm: readonly ModelCall[];
  readonly usage: Usage;
  readonly totalTokens: number | null;
  readonly models: readonly string[];
  readonly responseModels: readonly string[];
  readonly costUsd: number | null;
  /** Name and date of the price table, or "config"; null if no price was looked up. */
  readonly priceSource: string | null;
  readonly startUnixMs: number;
  readonly durationMs: number;
  /**
   * Attributes of the resource and the root span whose keys are allowed by the configuration, and all
   * `tracejury.*`.
   */
  readonly attributes: ReadonlyMap<string, JsonValue>;
  readonly dialects: readonly string[];
  readonly complete: boolean;
  readonly closeReason: CloseReason;
  readonly missing: readonly Missing[];
  readonly messages: readonly Message[];
  readonly systemInstructions: string | null;
  readonly toolDefinitions: readonly JsonValue[] | null;
  /**
   * End time of the root span in nanoseconds since 1970, as received. Exported records about the run use this
   * time.
   */
  readonly rootEndUnixNano: bigint;
  /** Position of the root span in a dump; absent for received runs and for conversations. */
  readonly source?: SourceLine | undefined;
  /** Dump files that contain the run's traces, the root's file first; absent if there are fewer than two. */
  readonly sources?: readonly string[] | undefined;
  /** W3C trace flags of the root span; absent means sampled. */
  readonly rootTraceFlags?: number;
  /** All steps in chronological order; absent if the order is unknown. */
  readonly stepOrder?: readonly PlacedStep[];
  /** Runs of a conversation in order of start; absent for a single run. */
  readonly turns?: readonly AgentRun[];
  /** Internal error while the run was processed. A run with a fault has the verdict `error`. */
  readonly fault?: Fault;
  /** Playback data if the model calls were answered from a recording; absent otherwise. */
  readonly playback?: Playback;
  /**
   * Ids of earlier versions of this run, which were found with fewer spans and which this run replaces. The
   * first is the run's own id. Absent for a run that was found once.
   */
  readonly replaces?: readonly string[];
}
