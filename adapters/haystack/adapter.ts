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
  scopes: words(`
    haystack openinference.instrumentation.haystack opentelemetry.instrumentation.haystack
    openlit.instrumentation.haystack traceai_haystack
  `),
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
 * The spans of all components have the same name, so the class of a component determines the role. OpenLLMetry writes a second span within
 * the generator's span. This inner span has no answer, only `replies`, which is the key of the generator's result.
 */
function component({ span }: SpanFacts, role: SpanRole): SpanRole {
  if (role === "call" && span.named("gen_ai.completion.0.content") === "replies") return "copy";
  if (span.name !== "haystack.component.run") return role;
  const type = span.named("haystack.component.type");
  return (typeof type === "string" && kinds.find(([pattern]) => pattern.test(type))?.[1]) || "step";
}

/** Matches the beginning of a pipeline's input whose first component receives messages. */
const receivesMessages = /^\{\s*(?:"data":\s*\{\s*)?"([^"]+)":\s*\{\s*"messages"/;
/** Matches the beginning of a pipeline's output if the first component in it is a generator, because only generators return `replies`. */
const returnsReplies = /^\{\s*"[^"]+":\s*\{\s*"replies"/;
const generatorName = /(?:^|_)llm$|generator$/i;

/**
 * Returns the name of the agent's component. If the instrumentation writes no spans of components, the key of the pipeline's input that
 * contains the messages is the name. Generators receive messages, too, so they are excluded by name and output.
 */
function agent({ span }: SpanFacts): JsonValue | undefined {
  if (span.named("haystack.component.type") === "Agent") return span.named("haystack.component.name");
  const input =
    span.named("gen_ai.framework.pipeline.input_data") ??
    (span.name === "Pipeline.run" ? span.named("input.value") : undefined);
  const name = typeof input === "string" ? receivesMessages.exec(input)?.[1] : undefined;
  if (name === undefined || generatorName.test(name)) return undefined;
  const output = span.named("output.value");
  return typeof output === "string" && returnsReplies.test(output) ? undefined : name;
}
