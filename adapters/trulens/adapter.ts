import type { Adapter, JsonValue, SpanFacts } from "../adapter-type.ts";
import { rolesOf } from "../tables.ts";

/** TruLens with OpenTelemetry tracing, around LangGraph and LangChain. */
export const trulens: Adapter = {
  dialect: "trulens",
  markers: ["ai.observability.span_type"],
  roles: {
    "ai.observability.span_type": rolesOf({
      workflow: "record_root",
      agent: "agent",
      tool: "tool mcp",
      call: "generation",
      retriever: "retrieval",
      reranker: "reranking",
      step: "graph_node graph_task workflow_step",
      evaluation: "eval_root eval",
    }),
  },
  fields: {
    tool: ["ai.observability.mcp.tool_name"],
    input: ["ai.observability.record_root.input"],
    output: ["ai.observability.record_root.output"],
    // A failed step returned nothing. The step's input, which is the history so far, is then used.
    history: ["ai.observability.call.return", "ai.observability.call.kwargs.input"],
    graphNode: ["ai.observability.graph_node.node_name"],
    error: ["ai.observability.call.error"],
  },
  derive: { agent, tool },
};

/** Matches the agent's name, which LangChain writes into the metadata of a call's printed configuration. */
const named = /'lc_agent_name': '([^']+)'/;

function agent({ span }: SpanFacts): JsonValue | undefined {
  const config = span.named("ai.observability.call.kwargs.config");
  return typeof config === "string" ? named.exec(config.slice(0, 2000))?.[1] : undefined;
}

/** Matches the tool's name in the tool call that is the span's input. If the tool failed, the span itself has the name `unknown`. */
const called = /^\[\{"name": "([^"]+)"/;

function tool({ span }: SpanFacts): JsonValue | undefined {
  const input = span.named("ai.observability.call.kwargs.input");
  return typeof input === "string" ? called.exec(input.slice(0, 500))?.[1] : undefined;
}
