import type { JsonValue } from "../../src/model/json.ts";
import type { Layer, Outcome } from "../../src/model/outcome.ts";
import type { CheckJson, VerdictJson } from "../../src/report/json/verdict-schema.ts";

export type { JsonValue, Layer, Outcome, CheckJson, VerdictJson };

export const layers: readonly Layer[] = ["correctness", "path", "cost"];
export const outcomes: readonly Outcome[] = ["fail", "error", "incomplete", "warn", "pass", "skip"];

export interface ToolJson {
  readonly name: string | null;
  readonly arguments: JsonValue;
  readonly result: JsonValue;
  readonly error: string | null;
  readonly agent: string | null;
  readonly call_id: string | null;
  readonly start_unix_ms: number | null;
  readonly duration_ms: number | null;
  readonly executed: boolean | null;
  readonly retried: boolean;
}

export interface ModelCallJson {
  readonly agent: string | null;
  readonly model: string | null;
  readonly response_model: string | null;
  readonly finish_reason: string | null;
  readonly input_tokens: number | null;
  readonly output_tokens: number | null;
  readonly cached_tokens: number | null;
  readonly reasoning_tokens: number | null;
  readonly cost_usd: number | null;
  readonly duration_ms: number | null;
  readonly error: string | null;
}

export interface HandoffJson {
  readonly from: string | null;
  readonly to: string;
  readonly kind: string;
  readonly inferred: boolean;
}

export interface RetrievalJson {
  readonly query: string | null;
  readonly documents: readonly {
    readonly id: string | null;
    readonly content: string | null;
    readonly score: number | null;
  }[];
}

export interface MessageJson {
  readonly role: string;
  readonly name: string | null;
  readonly text: string | null;
  readonly calls: readonly {
    readonly id: string | null;
    readonly name: string;
    readonly arguments: JsonValue;
  }[];
  readonly results: readonly {
    readonly call_id: string | null;
    readonly name: string | null;
    readonly content: JsonValue;
    readonly is_error: boolean | null;
  }[];
}

export type StepKind = "model" | "tool" | "handoff" | "retrieval" | "guardrail";

export interface StepJson {
  readonly kind: StepKind;
  readonly index: number;
  readonly trace_id: string | null;
  readonly span_id: string | null;
  readonly start_unix_ms: number | null;
  /** Position of the step in the order of all steps of the run; absent in runs that were stored without an order. */
  readonly place?: number;
}

/** The response of `/api/v1/runs/{id}`. */
export interface RunJson {
  readonly trace_id: string;
  readonly run_id: string;
  readonly root_span_id: string;
  readonly service: string | null;
  readonly agent: string | null;
  readonly final_agent: string | null;
  readonly conversation_id: string | null;
  readonly query: string | null;
  readonly answer: string | null;
  readonly status: "ok" | "error" | null;
  /** Error of the run; absent in runs that older versions of Tracejury stored. */
  readonly error?: string | null;
  readonly tools: readonly ToolJson[];
  readonly handoffs: readonly HandoffJson[];
  readonly retrievals: readonly RetrievalJson[];
  readonly guardrails: readonly { readonly name: string; readonly triggered: boolean | null }[];
  readonly llm_calls: number | null;
  readonly llm: readonly ModelCallJson[];
  readonly input_tokens: number | null;
  readonly output_tokens: number | null;
  readonly total_tokens: number | null;
  readonly models: readonly string[];
  readonly cost_usd: number | null;
  readonly price_source: string | null;
  readonly duration_ms: number;
  readonly attributes: Readonly<Record<string, JsonValue>>;
  readonly dialects: readonly string[];
  readonly complete: boolean;
  readonly close_reason: string;
  readonly missing: readonly { readonly what: string; readonly why: string }[];
  readonly messages: readonly MessageJson[];
  readonly system_instructions: string | null;
  readonly trace_ids: readonly string[];
  readonly start_unix_ms: number;
  readonly steps: readonly StepJson[];
  readonly verdicts: readonly VerdictJson[];
}

/** An item of `/api/v1/runs/{id}/spans`. */
export interface SpanJson {
  readonly trace_id: string;
  readonly span_id: string;
  readonly parent_span_id: string | null;
  readonly name: string;
  readonly kind: string | number;
  readonly status: string | number;
  readonly status_message: string;
  readonly start_unix_ms: number;
  readonly duration_ms: number;
  readonly scope: { readonly name: string; readonly version: string };
  readonly resource: Readonly<Record<string, JsonValue>>;
  readonly attributes: Readonly<Record<string, JsonValue>>;
  readonly events: readonly {
    readonly name: string;
    readonly time_unix_ms: number;
    readonly attributes: Readonly<Record<string, JsonValue>>;
  }[];
  readonly logs: readonly {
    readonly event_name: string | null;
    readonly time_unix_ms: number;
    readonly body: JsonValue;
    readonly attributes: Readonly<Record<string, JsonValue>>;
  }[];
}

export interface Annotation {
  readonly id: number;
  readonly run_id: string;
  readonly verdict_id: string | null;
  readonly label: "pass" | "fail" | null;
  readonly note: string;
  readonly author: string | null;
  readonly created_unix_ms: number;
}
