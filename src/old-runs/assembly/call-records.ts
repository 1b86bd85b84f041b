import type { LlmCall } from "../fragments/llm-call.ts";
import type { SpanNode } from "../span/span-node.ts";
import { unwrapArguments, unwrapResult } from "../span/read-arguments.ts";
import type { Reading } from "../span/span-reading.ts";
import type { JsonValue } from "../../model/json.ts";

/** What a log record or event says of a tool call, wherever in the run it stands. */
export interface ReportedToolCall {
  readonly name: string | undefined;
  readonly arguments: JsonValue | undefined;
  readonly result: JsonValue | undefined;
  readonly error: string | undefined;
}

/**
 * Records about calls that are attached to other spans than the calls' own, tied to them by the tool call's id, or by a model
 * call's token counts.
 */
export class CallRecords {
  #tools: Map<string, ReportedToolCall> | undefined;
  /** By their token counts; of several with the same the first. */
  #calls: Map<string, Reading> | undefined;

  constructor(nodes: readonly SpanNode[]) {
    for (const node of nodes) {
      if (node.span.logs.length === 0 && node.span.events.length === 0) continue;
      for (const reading of node.attached.readings) this.#add(reading, node);
    }
  }

  /** Nothing is said of any tool call. */
  get isEmpty(): boolean {
    return this.#tools === undefined;
  }

  tool(callId: string): ReportedToolCall | undefined {
    return this.#tools?.get(callId);
  }

  /** The model that a record with the same counts names. */
  modelOf(call: LlmCall): string | undefined {
    if (this.#calls === undefined) return undefined;
    const { input, output } = call.counts;
    if (output === undefined) return undefined;
    return this.#calls.get(`${input} ${output}`)?.text("model");
  }

  #add(reading: Reading, node: SpanNode): void {
    const id = reading.has("callId") ? reading.text("callId") : undefined;
    if (id !== undefined) {
      const tools = (this.#tools ??= new Map<string, ReportedToolCall>());
      const known = tools.get(id);
      const failed = reading.boolean("success") === false;
      tools.set(id, {
        name: known?.name ?? reading.text("tool"),
        arguments: known?.arguments ?? unwrapArguments(reading.json("arguments")),
        result: known?.result ?? unwrapResult(reading.json("result")),
        error: known?.error ?? (failed ? (reading.text("error") ?? "error") : undefined),
      });
    } else if (node.role !== "call" && reading.has("model") && reading.has("outputTokens")) {
      const counts = `${reading.number("inputTokens")} ${reading.number("outputTokens")}`;
      const calls = (this.#calls ??= new Map<string, Reading>());
      if (!calls.has(counts)) calls.set(counts, reading);
    }
  }
}
