import type { JsonValue } from "../../model/json.ts";
import type { LlmCall } from "../calls/llm-call.ts";
import { countsOf } from "../calls/tokens.ts";
import { inputsOf, outputsOf } from "../calls/call-messages.ts";
import { F } from "../facts/fields.ts";
import type { SpanFacts } from "../facts/span-facts.ts";
import { argumentsOf } from "../notations/arguments.ts";
import { type ReadMessage, readMessages } from "../notations/message.ts";
import { outcomeOf } from "../notations/result.ts";

/** Fields of a tool call from a record or a message on another span. Undefined: absent. */
export interface ReportedCall {
  name: string | null;
  arguments: JsonValue | undefined;
  result: JsonValue | undefined;
  error: string | null;
}

/**
 * Evidence of tool calls and model calls outside their own spans. Records on other spans are matched by call id or by token counts;
 * messages on agent and step spans by call id.
 */
export class CallRecords {
  readonly #tools = new Map<string, ReportedCall>();
  readonly #said = new Map<string, ReportedCall>();
  readonly #models: SpanFacts[] = [];
  readonly #nodes: readonly SpanFacts[];
  #isSaidRead = false;

  constructor(nodes: readonly SpanFacts[]) {
    this.#nodes = nodes;
    for (const { records } of nodes) for (const record of records) this.#add(record);
  }

  /** Fields of a tool call from records, otherwise from messages on other spans; null for none. `lacks`: spans and histories are incomplete. */
  tool(ids: readonly string[], lacks: boolean): ReportedCall | null {
    let found: ReportedCall | null = null;
    for (const id of ids) found ??= this.#tools.get(id) ?? null;
    if (!lacks || ids.length === 0) return found;
    if (!this.#isSaidRead) this.#readSaid();
    let said: ReportedCall | null = null;
    for (const id of ids) said ??= this.#said.get(id) ?? null;
    if (said === null || found === null) return found ?? said;
    return {
      name: found.name ?? said.name,
      arguments: found.arguments ?? said.arguments,
      result: found.result ?? said.result,
      error: found.error ?? said.error,
    };
  }

  /** The model in a record with the call's response id or counts; null for none. */
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
      });
    } else if (countsOf(record).output !== undefined) this.#models.push(record);
  }

  #readSaid(): void {
    this.#isSaidRead = true;
    for (const node of this.#nodes) {
      if (node.role !== "agent" && node.role !== "workflow" && node.role !== "step") continue;
      this.#addMessages(inputsOf(node));
      this.#addMessages(outputsOf(node));
      if (node.hasField(F.history))
        this.#addMessages(readMessages(node.valueAt(F.history) ?? null, "assistant"));
    }
  }

  #addMessages(messages: readonly ReadMessage[]): void {
    for (const { calls, results } of messages) {
      for (const { id, name, arguments: args } of calls)
        if (id !== null)
          merge(this.#said, id, { name, arguments: argumentsOf(args).value, result: undefined, error: null });
      for (const { callId, name, content, isError } of results) {
        if (callId === null) continue;
        const { value, error, isError: saysError, isCut } = outcomeOf(content);
        const failed = isError || saysError;
        merge(this.#said, callId, {
          name,
          arguments: undefined,
          result: isCut ? undefined : value,
          error: failed ? (error ?? (typeof value === "string" ? value : "error")) : null,
        });
      }
    }
  }
}

function merge(calls: Map<string, ReportedCall>, id: string, said: ReportedCall): void {
  const known = calls.get(id);
  if (known === undefined) {
    calls.set(id, said);
    return;
  }
  known.name ??= said.name;
  known.arguments ??= said.arguments;
  known.result ??= said.result;
  known.error ??= said.error;
}
