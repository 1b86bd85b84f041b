import type { Fault } from "./fault.ts";
import type { JsonValue } from "./json.ts";
import type { Message } from "./message.ts";
import type { Playback } from "./playback.ts";
import type { SourceLine } from "./source-line.ts";

/**
 * A fact that is missing, and the reason. `what` is a field of the run ("tokens", "answer", "tool_arguments") or a path ("conversation_id",
 * "llm.finish_reason").
 */
export interface Missing {
  readonly what: string;
  readonly why: string;
}

/** Tokens of one call, or of a complete run. Cached and cache-write tokens are included in `input`, reasoning tokens in `output`. */
export interface Usage {
  readonly input: number | null;
  readonly output: number | null;
  readonly cached: number | null;
  readonly cacheWrite: number | null;
  /** Tokens that were written to a one-hour cache; absent if not reported. */
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
  /** The provider's id of the response; absent or null if the telemetry does not contain it. */
  readonly responseId?: string | null;
  readonly usage: Usage;
  readonly costUsd: number | null;
  /** Service tier of the call, such as `flex`, `batch` or `priority`; absent or null for the provider's default. */
  readonly serviceTier?: string | null;
  readonly startUnixMs: number | null;
  readonly durationMs: number | null;
  readonly error: string | null;
  /**
   * Number of completed model calls for which the entry stands; null if the entry may be only a part of a model call. Absent: 1, or 0 for a
   * failed call.
   */
  readonly completions?: number | null;
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
   * Whether the tool ran. False if the model requested the call but the tool did not run; such a call does not count as a use of the tool.
   * Null if unknown.
   */
  readonly executed: boolean | null;
  readonly retried: boolean;
  /** Name of the tool through which the model called this one, such as `call_mcp_tool`. Only `forbidden_tools` reads it. */
  readonly through?: string;
}

export interface Handoff {
  readonly spanId: string | null;
  readonly from: string | null;
  readonly to: string;
  /**
   * How the hand-off is known. "tool": a tool call requested it. "span": a span records it. "change": it is inferred, because the next
   * model call is by another agent, or because an agent ran the other agent within its span.
   */
  readonly kind: "tool" | "span" | "change";
  readonly inferred: boolean;
  /** Function that the model called for the hand-off; null if unknown, or if the model called none. */
  readonly tool?: string | null;
}

export interface RetrievedDocument {
  readonly id: string | null;
  readonly content: string | null;
  readonly score: number | null;
  /** Further names of the document, such as the file or URL in its metadata; absent if there are none. */
  readonly sources?: readonly string[];
}

export interface Retrieval {
  readonly spanId: string | null;
  readonly query: string | null;
  readonly documents: readonly RetrievedDocument[];
  /** True if the retrieval may have returned further documents, because its documents were not recorded or are truncated. */
  readonly isPartial?: true;
}

export interface Guardrail {
  readonly spanId: string | null;
  readonly name: string;
  readonly triggered: boolean | null;
}

/**
 * A run that can list its missing values without the details. Details, such as `conversation_id`, are added by `missingDetails`
 * (src/runs/gaps): they take longer to compute, and no check reads them.
 */
export interface TellsMissingValues {
  /** The entries of `missing` without those of `missingDetails`. */
  readonly missingValues: readonly Missing[];
}

/** A setting of an instrumentation, and the evidence that it records, such as `query` or `tool_arguments`. */
export interface RecordingSetting {
  readonly gives: readonly string[];
  readonly set: string;
  /** Whether inputs and outputs have separate settings. If so, one of the two may be off. */
  readonly bySide?: true;
}

/** A run that can list the settings of its instrumentations. */
export interface KnowsSettings {
  readonly settings: readonly RecordingSetting[];
}

/** A step of the run, as an element of the list of all steps in order. */
export interface PlacedStep {
  readonly kind: "model" | "tool" | "handoff" | "retrieval" | "guardrail";
  /** Index of the step in the run's list of this kind, such as `tools`. */
  readonly index: number;
  /** Start time in milliseconds since 1970; null if unknown. A step without a start time is ordered by messages and call ids. */
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
  // Other spans of the run were sent to another process, so this process does not have them.
  | "split";

/**
 * One execution of an agent for one query, in the same form for all dialects. Checks, reports and exports read an `AgentRun` instead of
 * attributes. An unknown value is `null`, and not zero or empty; `missing` lists everything that is unknown. Texts and messages are decoded
 * when they are first used.
 */
export interface AgentRun {
  /** `<trace_id>-<span_id>` of the run's root span at the time when the run was first assembled. Late spans do not change this id. */
  readonly runId: string;
  readonly traceId: string;
  /** Ids of all traces of the run, in order of start. The first is `traceId`. */
  readonly traceIds: readonly string[];
  readonly rootSpanId: string;
  readonly service: string | null;
  readonly agent: string | null;
  /** True if no span names an agent, so that `agent` is the name of the service; absent otherwise. */
  readonly isNamedByService?: true;
  readonly finalAgent: string | null;
  readonly conversationId: string | null;
  readonly query: string | null;
  readonly answer: string | null;
  /** Beginning of the answer, if the telemetry truncated it; `answer` is then null. */
  readonly answerBegin?: string;
  /** Status of the run; null if the telemetry does not show it, for example after a crash. */
  readonly status: "ok" | "error" | null;
  /** Error message of the failed span; null if it has none, or if `status` is not "error". */
  readonly error: string | null;
  /** Tool calls in the order of the model's requests. Hand-offs are not included. */
  readonly tools: readonly ToolCall[];
  readonly handoffs: readonly Handoff[];
  /** Agents to which the run could have handed off; null if the telemetry does not list them. */
  readonly handoffsAvailable: readonly string[] | null;
  readonly retrievals: readonly Retrieval[];
  readonly guardrails: readonly Guardrail[];
  /** Number of model calls; null if some may be missing from the telemetry. */
  readonly llmCalls: number | null;
  readonly llm: readonly ModelCall[];
  readonly usage: Usage;
  readonly totalTokens: number | null;
  readonly models: readonly string[];
  readonly responseModels: readonly string[];
  readonly costUsd: number | null;
  /** Name and date of the price table; "config" for prices from the configuration; null if no price was looked up. */
  readonly priceSource: string | null;
  readonly startUnixMs: number;
  readonly durationMs: number;
  /**
   * Attributes of the resource, of the root span and of the spans above it: `service.version` and a few others, all `tracejury.*`, and
   * those that the configuration adds. Long values are truncated.
   */
  readonly attributes: ReadonlyMap<string, JsonValue>;
  readonly dialects: readonly string[];
  readonly complete: boolean;
  readonly closeReason: CloseReason;
  readonly missing: readonly Missing[];
  readonly messages: readonly Message[];
  readonly systemInstructions: string | null;
  readonly toolDefinitions: readonly JsonValue[] | null;
  /** End time of the root span in nanoseconds since 1970, as received. Exported records of the run use this time. */
  readonly rootEndUnixNano: bigint;
  /** Position of the root span in a dump; absent for received runs and for conversations. */
  readonly source?: SourceLine | undefined;
  /** Dump files that contain traces of the run; the first contains the root span. Absent if all traces are from one file. */
  readonly sources?: readonly string[] | undefined;
  /** W3C trace flags of the root span; absent if the root span counts as sampled. */
  readonly rootTraceFlags?: number;
  /** All steps in time order; absent if the order is unknown. */
  readonly stepOrder?: readonly PlacedStep[];
  /** Runs of a conversation in order of start; absent for a single run. */
  readonly turns?: readonly AgentRun[];
  /** Internal error of Tracejury while it processed the run; absent if there was none. A run with a fault gets the verdict `error`. */
  readonly fault?: Fault;
  /** How recorded answers were used; absent if the model calls were not answered from a recording. */
  readonly playback?: Playback;
  /**
   * Ids of earlier versions of this run, which this run replaces; they were assembled from fewer spans. The first id is the run's own id.
   * Absent if there is no earlier version.
   */
  readonly replaces?: readonly string[];
}
