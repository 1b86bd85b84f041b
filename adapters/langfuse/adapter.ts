import type { Adapter, SpanRole, SpanFacts } from "../adapter-type.ts";
import { contentEvidence } from "../producer-type.ts";
import { rolesOf, words } from "../tables.ts";

/** Langfuse's SDKs and the exporters that write its attributes. */
export const langfuse: Adapter = {
  dialect: "langfuse",
  markers: words(`
    langfuse.observation.type langfuse.observation.input langfuse.observation.output
    langfuse.trace.input langfuse.trace.name
  `),
  scopes: ["langfuse-sdk"],
  roles: {
    "langfuse.observation.type": rolesOf({
      call: "generation",
      embedding: "embedding",
      agent: "agent",
      tool: "tool",
      step: "chain event",
      retriever: "retriever",
      evaluation: "evaluator",
      guardrail: "guardrail",
    }),
  },
  fields: {
    conversation: ["langfuse.session.id", "session.id"],
    model: ["langfuse.observation.model.name"],
    usage: ["langfuse.observation.usage_details"],
    input: words(`
      langfuse.observation.input langfuse.trace.input
      langfuse.observation.metadata.haystack.pipeline.input_data
    `),
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
  derive: { responseModel, model },
  producers: [
    {
      name: "Langfuse SDK",
      scopes: ["langfuse-sdk"],
      switches: [
        {
          gives: contentEvidence,
          bySide: true,
          set: "remove the `mask` function, or let it keep inputs and outputs",
        },
        { gives: ["session_ids"], set: "propagateAttributes({ sessionId }, run)" },
      ],
      page: "langfuse.md",
    },
  ],
};

function role(facts: SpanFacts, role: SpanRole): SpanRole {
  if (role !== "unknown") return role;
  return facts.has("model") ? "call" : "step";
}

/**
 * Returns the observation's model as the response model, if the requested model is known and the call did not fail; otherwise undefined.
 */
function responseModel(facts: SpanFacts): string | undefined {
  return facts.has("requestModel") && facts.text("level") !== "ERROR" ? facts.text("model") : undefined;
}

function model(facts: SpanFacts): string | undefined {
  return facts.text("model");
}
