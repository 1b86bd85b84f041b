import type { Adapter } from "../adapter-type.ts";
import { rolesOf, words } from "../tables.ts";

/** Mastra's OpenTelemetry exporters, older and current, and the spans of version 0, which writes one span for each method. */
export const mastra: Adapter = {
  dialect: "mastra",
  markers: ["mastra.span.type", "componentName"],
  scopes: ["@mastra/*"],
  roles: {
    "mastra.span.type": rolesOf({
      agent: "agent_run",
      workflow: "workflow_run",
      step: `
          workflow_step workflow_conditional workflow_conditional_eval workflow_parallel
          workflow_loop workflow_sleep workflow_wait_event processor_run memory_operation
          workspace_action rag_ingestion rag_action graph_action mapping skill_action
          agent_signal generic
        `,
      call: "model_generation llm_generation model_step model_inference",
      copy: "model_chunk llm_chunk",
      tool: "tool_call mcp_tool_call client_tool_call provider_tool_call",
      embedding: "rag_embedding",
      retriever: "rag_vector_operation",
      evaluation: "scorer_run scorer_step",
    }),
  },
  fields: {
    agent: ["componentName"],
    conversation: ["mastra.metadata.threadId", "mastra.metadata.sessionId", "mastra.metadata.conversationId"],
    input: words(`
      mastra.agent_run.input mastra.workflow_run.input mastra.model_generation.input
      mastra.model_step.input mastra.model_inference.input mastra.tool_call.input
      mastra.mcp_tool_call.input mastra.rag_vector_operation.input
    `),
    output: words(`
      mastra.agent_run.output mastra.workflow_run.output mastra.model_generation.output
      mastra.model_step.output mastra.model_inference.output mastra.tool_call.output
      mastra.mcp_tool_call.output mastra.rag_vector_operation.output
    `),
    inputTokens: ["gen_ai.usage.prompt_tokens"],
    cachedTokens: ["gen_ai.usage.cached_input_tokens"],
  },
  producers: [
    {
      name: "Mastra",
      scopes: ["@mastra/*"],
      switches: [{ gives: ["session_ids"], set: "tracingOptions: { metadata: { sessionId } } on each call" }],
      page: "mastra.md",
    },
  ],
};
