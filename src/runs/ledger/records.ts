import { append } from "../../support/structures/long-lists.ts";
import type { JsonValue } from "../../model/json.ts";
import type { LlmCall } from "../calls/llm-call.ts";
import { countsOf } from "../calls/tokens.ts";
import { F } from "../facts/fields.ts";
import type { SpanFacts } from "../facts/span-facts.ts";
import { argumentsOf } from "../notations/arguments.ts";
import { outcomeOf } from "../notations/result.ts";

/** Fields of a tool call from a record on another span. An absent field is undefined or null. */
export interface ReportedCall {
  name: string | null;
  arguments: JsonValue | undefined;
  result: JsonValue | undefined;
  error: string | null;
  /** A person or a policy refused the tool call. */
  isRefused: boolean;
  readonly from: SpanFacts[];
}

const refusal = /^(?:reject|den(?:y|ied)|abort|refus|block|cancel|disallow)/i;
/**
 * Matches the error types of a tool call that was refused before it began. If a running tool was denied access, for example to a file, its
 * error type has further words.
 */
const denied = /^(?:execution_)?(?:denied|rejected)$/i;

/** Whether a span or record shows that a person or a policy refused the tool call. */
export function isRefused(facts: SpanFacts): boolean {
  if (facts.hasField(F.decision) && refusal.test(facts.textAt(F.decision) ?? "")) return true;
  return denied.test(facts.textAt(F.errorType) ?? "");
}

/**
 * Evidence of tool calls and model calls outside their own spans: span events and log records, matched by call id, response id or token
 * counts.
 */
export class CallRecords {
  readonly #tools = new Map<string, ReportedCall>();
  readonly #models: SpanFacts[] = [];

  constructor(nodes: readonly SpanFacts[]) {
    for (const { records } of nodes) for (const record of records) this.#add(record);
  }

  /** Fields of a tool call from records; null if there is none. */
  tool(ids: readonly string[]): ReportedCall | null {
    for (const id of ids) {
      const found = this.#tools.get(id);
      if (found !== undefined) return found;
    }
    return null;
  }

  /** The model in a record with the call's response id or counts; null if there is none. */
  modelOf({ counts: { input, output }, responseId }: LlmCall): string | null {
    for (const record of this.#models) {
      const isSame =
        responseId !== null && record.responseId !== null
          ? record.responseId === responseId
          : output !== undefined && record.outputTokens === output && record.inputTokens === (input ?? null);
      if (isSame) return record.responseModel ?? record.model ?? record.requestModel;
    }
    return null;
  }

  #add(record: SpanFacts): void {
    if (record.callId !== null) {
      const { isCut, value } = argumentsOf(record.nthRaw(F.arguments, 0));
      const outcome = outcomeOf(record.nthRaw(F.result, 0));
      const failed = record.hasField(F.success) && record.booleanAt(F.success) === false;
      merge(this.#tools, record.callId, {
        name: record.tool,
        arguments: isCut ? undefined : value,
        result: outcome.isCut ? undefined : outcome.value,
        error: failed ? (record.textAt(F.error) ?? outcome.error ?? "error") : outcome.error,
        isRefused: isRefused(record),
        from: [record],
      });
    } else if (countsOf(record).output !== undefined) this.#models.push(record);
  }
}

function merge(calls: Map<string, ReportedCall>, id: string, reported: ReportedCall): void {
  const known = calls.get(id);
  if (known === undefined) {
    calls.set(id, reported);
    return;
  }
  known.name ??= reported.name;
  known.arguments ??= reported.arguments;
  known.result ??= reported.result;
  known.error ??= reported.error;
  known.isRefused ||= reported.isRefused;
  append(known.from, reported.from);
}
