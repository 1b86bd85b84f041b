import type { Adapter } from "../adapter-type.ts";
import { contentEvidence } from "../producer-type.ts";
import { rolesOf } from "../tables.ts";

/** LangWatch's SDKs: `gen_ai.*`, and inputs and outputs in envelopes `{"type": …, "value": …}`. */
export const langwatch: Adapter = {
  dialect: "langwatch",
  markers: ["langwatch.span.type", "langwatch.input", "langwatch.output", "langwatch.thread.id"],
  scopes: ["langwatch", "langwatch.*"],
  roles: {
    "langwatch.span.type": rolesOf({
      call: "llm",
      agent: "agent",
      tool: "tool",
      step: "chain component module task",
      workflow: "workflow",
      retriever: "rag",
      guardrail: "guardrail",
      evaluation: "evaluation",
    }),
  },
  fields: {
    agent: ["langwatch.langgraph.lc_agent_name", "langwatch.langchain.run.metadata.lc_agent_name"],
    graphNode: ["langwatch.langgraph.langgraph_node"],
    graphPath: ["langwatch.langgraph.langgraph_checkpoint_ns"],
    conversation: ["langwatch.thread.id", "langwatch.thread_id", "langwatch.langgraph.thread_id"],
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
  producers: [
    {
      name: "LangWatch",
      scopes: ["langwatch", "langwatch.*"],
      switches: [
        {
          gives: contentEvidence,
          bySide: true,
          set: "leave capture_input=False and capture_output=False out",
        },
        { gives: ["session_ids"], set: "thread_id in the metadata of the trace" },
      ],
      cannot: [
        {
          what: "agent_names",
          why: "LangWatch has no attribute for the name of an agent; agents are named by their spans",
        },
      ],
      page: "other-platforms.md",
    },
  ],
};
