import type { Fault } from "./fault.ts";
import type { JsonValue } from "./json.ts";
import type { Message } from "./message.ts";
import type { Playback } from "./playback.ts";
import type { SourceLine } from "./source-line.ts";

/**
 * A fact that is missing, and why. `what` is a field of the run ("tokens", "answer", "tool_arguments") or a
 * path ("conversation_id", "llm.finish_reason").
 */
export interface Missing {
  readonly what: string;
  readonly why: string;
}

/**
 * Tokens of one call or of a whole run. Cached and cache-write tokens are included in `input`, reasoning
 * tokens in `output`.
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
  /** The provider's id of the response, if the telemetry contains it. */
  readonly responseId?: string | null;
  readonly usage: Usage;
  readonly costUsd: number | null;
  /** Service tier of the call, if it is not the provider's default: `flex`, `batch` or `priority`. */
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
   * Whether the call was executed. False if the model requested the call but the tool did not run; such a
   * call does not count as a use of the tool. Null if unknown.
   */
  readonly executed: boolean | null;
  readonly retried: boolean;
}

export interface Handoff {
  readonly spanId: string | null;
  readonly from: string | null;
  readonly to: string;
  /**
   * How the hand-off is known: "tool" (a tool call requested it), "span" (a span records it) or "change" (inferred:
   * the next model call is by another agent, or an agent ran this one within its span).
   */
  readonly kind: "tool" | "span" | "change";
  readonly inferred: boolean;
  /** Function that the model called for the hand-off; null if unknown, or if none was called. */
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
 * A run that can list its missing values alone. The list leaves out details, such as `conversation_id`, which
 * `missingDetails` (src/runs/gaps) adds: they take longer to compute, and no check reads them.
 */
export interface TellsMissingValues {
  /** Entries of `missing`, without those of `missingDetails`. */
  readonly missingValues: readonly Missing[];
}

/** A setting of an instrumentation, and the evidence that it records, such as `query` or `tool_arguments`. */
export interface RecordingSetting {
  readonly gives: readonly string[];
  readonly set: string;
  /** Whether inputs and outputs have separate settings, so that only one of them may be off. */
  readonly bySide?: true;
}

/** A run that knows the settings of its instrumentations. */
export interface KnowsSettings {
  readonly settings: readonly RecordingSetting[];
}

/** A step of the run, in the order of all steps. */
export interface PlacedStep {
  readonly kind: "model" | "tool" | "handoff" | "retrieval" | "guardrail";
  /** Index of the step in the run's list of its kind. */
  readonly index: number;
  /**
   * Start time; null if unknown. A step without a start time is ordered by the conversation's messages and by
   * call ids.
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
  // Other spans of the run were sent to another process.
  | "split";

/**
 * One execution of an agent for one query, in one form for all dialects. Checks, reports and exports read
 * `AgentRun` instead of attributes. An unknown value is `null`, not zero or empty; `missing` lists everything
 * that is unknown. Texts and messages are decoded on first use.
 */
export interface AgentRun {
  /**
   * `<trace_id>-<span_id>` of the root span when the run was first assembled. Late spans do not change the
   * id.
   */
  readonly runId: string;
  readonly traceId: string;
  /** Ids of all traces of the run, in order of start. The first is `traceId`. */
  readonly traceIds: readonly string[];
  readonly rootSpanId: string;
  readonly service: string | null;
  readonly agent: string | null;
  readonly finalAgent: string | null;
  readonly conversationId: string | null;
  readonly query: string | null;
  readonly answer: string | null;
  /**
   * Beginning of the answer, if the telemetry truncated the answer. `answer` is null for a truncated answer.
   */
  readonly answerBegin?: string;
  /** Status of the run; null if the telemetry has none, for example after a crash. */
  readonly status: "ok" | "error" | null;
  /** Error message of the failed span; null if the span has none, or if the status is not "error". */
  readonly error: string | null;
  /** Tool calls in the order of the model's requests. Hand-offs are not included. */
  readonly tools: readonly ToolCall[];
  readonly handoffs: readonly Handoff[];
  /** Agents to which the run could hand off; null if the telemetry does not list these agents. */
  readonly handoffsAvailable: readonly string[] | null;
  readonly retrievals: readonly Retrieval[];
  readonly guardrails: readonly Guardrail[];
  /** Number of model calls; null if the telemetry may lack some model calls. */
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
   * Attributes of the resource, of the root span and of the spans above it: `service.version` and a few others,
   * all `tracejury.*`, and those that the configuration adds. A long value is truncated.
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
   * End time of the root span in nanoseconds since 1970, as received. Exported records of the run have this
   * time.
   */
  readonly rootEndUnixNano: bigint;
  /** Position of the root span in a dump; absent for received runs and for conversations. */
  readonly source?: SourceLine | undefined;
  /**
   * Dump files with traces of the run; the first has the root span. Absent if all traces are from one file.
   */
  readonly sources?: readonly string[] | undefined;
  /** W3C trace flags of the root span. Absent means sampled. */
  readonly rootTraceFlags?: number;
  /** All steps in time order; absent if the order is unknown. */
  readonly stepOrder?: readonly PlacedStep[];
  /** Runs of a conversation in order of start; absent for a single run. */
  readonly turns?: readonly AgentRun[];
  /** Internal error of Tracejury while it processed the run. The verdict of a run with a fault is `error`. */
  readonly fault?: Fault;
  /** How recorded answers were used, if the model calls were answered from a recording. Otherwise absent. */
  readonly playback?: Playback;
  /**
   * Ids of earlier versions of this run, which were made from fewer spans, and which this run replaces. The
   * first id is the run's own id. `replaces` is absent if there is no earlier version.
   */
  readonly replaces?: readonly string[];
}
