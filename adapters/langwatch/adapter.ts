import type { Adapter } from "../adapter-type.ts";
import { producers } from "./producers.ts";

/** LangWatch's SDKs: `gen_ai.*` beside inputs and outputs in envelopes, `{"type": …, "value": …}`. */
export const langwatch: Adapter = {
  dialect: "langwatch",
  producers,
  markers: ["langwatch.span.type", "langwatch.input", "langwatch.output", "langwatch.thread.id"],
  scopes: ["langwatch", "langwatch.*"],
  roles: [
    {
      attribute: "langwatch.span.type",
      roles: {
        llm: "call",
        agent: "agent",
        tool: "tool",
        chain: "step",
        component: "step",
        module: "step",
        task: "step",
        workflow: "workflow",
        rag: "retriever",
        guardrail: "guardrail",
        evaluation: "evaluation",
      },
    },
  ],
  fields: {
    conversation: ["langwatch.thread.id", "langwatch.thread_id"],
    input: ["langwatch.input"],
    output: ["langwatch.output"],
    usage: ["langwatch.metrics"],
    model: ["langwatch.model"],
    inputTokens: ["langwatch.input_tokens"],
    outputTokens: ["langwatch.output_tokens"],
    cachedTokens: ["langwatch.cache_read_tokens"],
    cacheWriteTokens: ["langwatch.cache_creation_tokens"],
    cost: ["langwatch.cost.usd"],
    documents: ["langwatch.rag.contexts"],
  },
};
