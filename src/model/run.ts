import type { Fault } from "./fault.ts";
import type { JsonValue } from "./json.ts";
import type { Message } from "./message.ts";
import type { Playback } from "./playback.ts";
import type { SourceLine } from "./source-line.ts";

/**
 * Missing facts and their causes. `what` is a field of the run ("tokens", "answer", "tool_arguments"), or a path ("conversation_id",
 * "llm.finish_reason").
 */
export interface Missing {
  readonly what: string;
  readonly why: string;
}

/** Tokens of one call or a whole run. Cached and cache-write tokens are part of `input`, reasoning is part of `output`. */
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
  /** The provider's id of the completion, where the telemetry has it. */
  readonly responseId?: string | null;
  readonly usage: Usage;
  readonly costUsd: number | null;
  /** At which the provider served it, where that is not its usual one: `flex`, `batch`, `priority`. */
  readonly serviceTier?: string | null;
  readonly startUnixMs: number | null;
  readonly durationMs: number | null;
  readonly error: string | null;
}

export interface ToolCall {
  readonly spanId: string | null;
  readonly traceId: string;
  /** Null where the telemetry does not name the tool. */
  readonly name: string | null;
  readonly arguments: JsonValue | undefined;
  readonly result: JsonValue | undefined;
  /** Error message; null for none. */
  readonly error: string | null;
  readonly agent: string | null;
  readonly callId: string | null;
  readonly startUnixMs: number | null;
  readonly durationMs: number | null;
  /** False: requested by the model and not executed. Null: unknown. Only `false` keeps a call out of the tools used. */
  readonly executed: boolean | null;
  readonly retried: boolean;
}

export interface Handoff {
  readonly spanId: string | null;
  readonly from: string | null;
  readonly to: string;
  /** How it was written: "tool", "span", "agent" (a nested agent), "change" (another agent made the next call). */
  readonly kind: string;
  readonly inferred: boolean;
  /** The function that the model called to hand over; null where none did, or none is known. */
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

/** A run whose unknown values can be read without the entries for details, which are dearer and which no check reads. */
export interface TellsMissingValues {
  /** The entries of `missing` but for details. */
  readonly missingValues: readonly Missing[];
}

/** A step in the order of the run. */
export interface PlacedStep {
  readonly kind: "model" | "tool" | "handoff" | "retrieval" | "guardrail";
  /** Its place in the run's list of that kind. */
  readonly index: number;
  /** Null where its time is unknown: it is placed by the conversation and the ids of calls. */
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
  // Other spans of its traces went to another process.
  | "split";

/**
 * One execution of an agent for one query, dialect removed. No check, report or export mentions an attribute key.
 * Unknown is `null`, never zero or empty; texts and messages are read from the telemetry when first asked for.
 */
export interface AgentRun {
  /** `<trace_id>-<span_id>` of the root that the run had when it was found first; late spans do not change it. */
  readonly runId: string;
  readonly traceId: string;
  /** All traces the run is spread over, in order of start; the first is `traceId`. */
  readonly traceIds: readonly string[];
  readonly rootSpanId: string;
  readonly service: string | null;
  readonly agent: string | null;
  readonly finalAgent: string | null;
  readonly conversationId: string | null;
  readonly query: string | null;
  readonly answer: string | null;
  /** The answer as far as it is there, where it was cut off and `answer` is null. */
  readonly answerBegin?: string;
  /** Null when the telemetry does not show it (a process that died). */
  readonly status: "ok" | "error" | null;
  /** Error message from the telemetry if the status is "error"; null otherwise. */
  readonly error: string | null;
  /** In the order the model asked; hand-offs are not tools. */
  readonly tools: readonly ToolCall[];
  readonly handoffs: readonly Handoff[];
  /** Agents on offer; null when the telemetry does not list them. */
  readonly handoffsAvailable: readonly string[] | null;
  readonly retrievals: readonly Retrieval[];
  readonly guardrails: readonly Guardrail[];
  /** Completions served. Null when the telemetry may leave calls out. */
  readonly llmCalls: number | null;
  readonly llm: readonly ModelCall[];
  readonly usage: Usage;
  readonly totalTokens: number | null;
  readonly models: readonly string[];
  readonly responseModels: readonly string[];
  readonly costUsd: number | null;
  /** The price table's name and date; null when no price was looked up. */
  readonly priceSource: string | null;
  readonly startUnixMs: number;
  readonly durationMs: number;
  /** Allow-listed attributes of resource and root, plus `tracejury.*`. */
  readonly attributes: ReadonlyMap<string, JsonValue>;
  readonly dialects: readonly string[];
  readonly complete: boolean;
  readonly closeReason: CloseReason;
  readonly missing: readonly Missing[];
  readonly messages: readonly Message[];
  readonly systemInstructions: string | null;
  readonly toolDefinitions: readonly JsonValue[] | null;
  /** When the root ended, in nanoseconds since 1970 as it was received: the time of what is sent back about the run. */
  readonly rootEndUnixNano: bigint;
  /** Where in a dump the root span was read; absent for runs that were received, and for conversations. */
  readonly source?: SourceLine | undefined;
  /** The dump files that hold its traces, that of the root first; absent where it is one, or none. */
  readonly sources?: readonly string[] | undefined;
  /** W3C trace flags of the root; absent counts as sampled. */
  readonly rootTraceFlags?: number;
  /** All steps in the order in which they took place; absent where that is not known. */
  readonly stepOrder?: readonly PlacedStep[];
  /** The runs of a conversation, in order of start, where this is one as a whole; absent for a single run. */
  readonly turns?: readonly AgentRun[];
  /** Work on the run failed, so that next to nothing is known of it: its verdicts are errors. */
  readonly fault?: Fault;
  /** Its model calls were answered from a recording; absent for any other run. */
  readonly playback?: Playback;
  /**
   * Ids of the runs, found before with fewer spans, that this reading replaces; its own id is the first. Absent for a run that is found for
   * the first time.
   */
  readonly replaces?: readonly string[];
}
