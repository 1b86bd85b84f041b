import type { Adapter, JsonValue, SpanRole, SpanFacts } from "../adapter-type.ts";
import { contentEvidence } from "../producer-type.ts";
import { words } from "../tables.ts";

/** Haystack's own tracing. */
export const haystack: Adapter = {
  dialect: "haystack",
  markers: words(`
    haystack.component.name haystack.component.type haystack.agent.max_steps
    haystack.pipeline.input_data haystack.tool.name haystack.agent.step haystack.agent.input
    haystack.agent.step.llm.input haystack.agent.step.tool.input
  `),
  scopes: ["haystack", "openinference.instrumentation.haystack", "opentelemetry.instrumentation.haystack"],
  names: [
    { pattern: /^haystack\.pipeline\.run$|^haystack\.async_pipeline\.run$/, role: "workflow", own: true },
    { pattern: /^haystack\.agent\.run$/, role: "agent", own: true },
    { pattern: /^haystack\.agent\.step\.llm$/, role: "call", own: true },
    { pattern: /^haystack\.agent\.step\.tool$/, role: "tool", own: true },
    { pattern: /^haystack\.agent\.step$/, role: "step", own: true },
    { pattern: /^haystack\.tracing\./, role: "setup", own: true },
  ],
  fields: {
    tool: ["haystack.tool.name"],
    input: words(`
      haystack.agent.input haystack.agent.step.llm.input haystack.agent.step.tool.input
      haystack.component.input haystack.pipeline.input_data
    `),
    output: words(`
      haystack.agent.output haystack.agent.step.llm.output haystack.agent.step.tool.output
      haystack.component.output haystack.pipeline.output_data
    `),
  },
  role: component,
  derive: { agent },
  producers: [
    {
      name: "Haystack",
      scopes: ["haystack*"],
      switches: [{ gives: contentEvidence, set: "HAYSTACK_CONTENT_TRACING_ENABLED=true" }],
      page: "haystack.md",
    },
    {
      name: "Haystack",
      scopes: ["*"],
      dialects: ["haystack"],
      switches: [{ gives: contentEvidence, set: "HAYSTACK_CONTENT_TRACING_ENABLED=true" }],
      page: "haystack.md",
    },
  ],
};

const kinds: readonly (readonly [RegExp, SpanRole])[] = [
  [/Generator$/, "call"],
  [/Retriever$/, "retriever"],
  [/Ranker$/, "reranker"],
  [/Embedder$/, "embedding"],
  [/^ToolInvoker$/, "step"],
  [/^Agent$/, "agent"],
];

/**
 * The spans of all components have one name; the class of a component determines the role. OpenLLMetry writes a span
 * within the generator's span. The inner span has no answer, only `replies`, the key of the generator's result.
 */
function component({ span }: SpanFacts, role: SpanRole): SpanRole {
  if (role === "call" && span.named("gen_ai.completion.0.content") === "replies") return "copy";
  if (span.name !== "haystack.component.run") return role;
  const type = span.named("haystack.component.type");
  return (typeof type === "string" && kinds.find(([pattern]) => pattern.test(type))?.[1]) || "step";
}

/**
 * The agent is a component and has the component's name. Under OpenInference, the component's name is a key of the
 * pipeline's input.
 */
function agent({ span }: SpanFacts): JsonValue | undefined {
  if (span.name === "Pipeline.run") {
    const input = span.named("input.value");
    return typeof input === "string"
      ? /^\{\s*"data":\s*\{\s*"([^"]+)":\s*\{\s*"messages"/.exec(input)?.[1]
      : undefined;
  }
  return span.named("haystack.component.type") === "Agent"
    ? span.named("haystack.component.name")
    : undefined;
}
