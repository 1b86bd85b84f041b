import type { Message } from "../../model/message.ts";
import { messagesWithin } from "../messages/read-messages.ts";
import { printsError, unwrapResult } from "../span/read-arguments.ts";
import type { SpanNode } from "../span/span-node.ts";
import type { ReportedToolCall } from "./call-records.ts";

/**
 * What messages on spans of agents, workflows and steps say of tool calls, by the calls' ids. Some producers put the arguments and results
 * of tools only there: their tools' spans have an id and a name.
 */
export class MessageRecords {
  readonly #tools = new Map<string, ReportedToolCall>();

  constructor(nodes: readonly SpanNode[]) {
    for (const node of nodes) {
      if (node.role !== "agent" && node.role !== "workflow" && node.role !== "step") continue;
      this.#addAll(node.inputs);
      this.#addAll(node.outputs);
      if (node.has("history")) this.#addAll(messagesWithin(node.json("history"), "assistant"));
    }
  }

  tool(callId: string): ReportedToolCall | undefined {
    return this.#tools.get(callId);
  }

  #addAll(messages: readonly Message[]): void {
    for (const { calls, results } of messages) {
      for (const { id, name, arguments: args } of calls)
        if (id !== null)
          this.#add(id, { name: name ?? undefined, arguments: args, result: undefined, error: undefined });
      for (const { callId, name, content, isError } of results) {
        if (callId === null) continue;
        const result = unwrapResult(content);
        const hasFailed = isError || printsError(content);
        const error = hasFailed ? (typeof result === "string" ? result : "error") : undefined;
        this.#add(callId, { name: name ?? undefined, arguments: undefined, result, error });
      }
    }
  }

  #add(id: string, { name, arguments: args, result, error }: ReportedToolCall): void {
    const known = this.#tools.get(id);
    this.#tools.set(id, {
      name: known?.name ?? name,
      arguments: known?.arguments ?? args,
      result: known?.result ?? result,
      error: known?.error ?? error,
    });
  }
}
