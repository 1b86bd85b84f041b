import type { Adapter, SpanRole, SpanFacts } from "../adapter-type.ts";
import { producers } from "./producers.ts";

/** Langfuse's SDKs and the exporters that write its attributes. */
export const langfuse: Adapter = {
  dialect: "langfuse",
  producers,
  markers: [
    "langfuse.observation.type",
    "langfuse.observation.input",
    "langfuse.observation.output",
    "langfuse.trace.input",
    "langfuse.trace.name",
  ],
  scopes: ["langfuse-sdk"],
  roles: [
    {
      attribute: "langfuse.observation.type",
      roles: {
        generation: "call",
        embedding: "embedding",
        agent: "agent",
        tool: "tool",
        chain: "step",
        retriever: "retriever",
        evaluator: "evaluation",
        guardrail: "guardrail",
        event: "step",
      },
    },
  ],
  fields: {
    conversation: ["langfuse.session.id", "session.id"],
    model: ["langfuse.observation.model.name"],
    usage: ["langfuse.observation.usage_details"],
    input: [
      "langfuse.observation.input",
      "langfuse.trace.input",
      "langfuse.observation.metadata.haystack.pipeline.input_data",
    ],
    output: ["langfuse.observation.output", "langfuse.trace.output"],
    level: ["langfuse.observation.level"],
    error: ["langfuse.observation.status_message"],
    graphPath: [
      "langfuse.observation.metadata.langgraph_checkpoint_ns",
      "langfuse.observation.metadata.checkpoint_ns",
    ],
    metadata: ["langfuse.observation.metadata"],
    requestModel: ["langfuse.observation.metadata.ls_model_name"],
  },
  role,
  // Langfuse keeps cached and reasoning tokens in buckets of their own.
  derive: { responseModel, model },
};

function role(facts: SpanFacts, role: SpanRole): SpanRole {
  if (role !== "unknown") return role;
  return facts.has("model") ? "call" : "step";
}

/** The observation's model is the response model, if the requested model is known or the call succeeded. */
function responseModel(facts: SpanFacts): string | undefined {
  return facts.has("requestModel") && facts.text("level") !== "ERROR" ? facts.text("model") : undefined;
}

function model(facts: SpanFacts): string | undefined {
  return facts.text("model");
}
