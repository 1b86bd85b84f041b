import type { Adapter, SpanFacts, SpanRole } from "../adapter-type.ts";
import { words } from "../tables.ts";

/** Datadog's tracers with the OTLP exporter. `gen_ai.request.model` is the model that answered, not the requested one. */
export const datadog: Adapter = {
  dialect: "datadog",
  markers: ["_sampling_priority_v1", "_dd.llmobs.span_kind", "_dd.llmobs.artificial_gen_ai_tags"],
  scopes: ["dd-trace-js"],
  fields: {
    requestModel: words(
      "openai.request.model anthropic.request.model langchain.request.model ai.request.model",
    ),
    responseModel: ["openai.response.model"],
    responseId: ["openai.response.id"],
  },
  role,
  derive: {
    agent: (facts) => graphOf(facts) ?? functionOf(facts),
    // All spans of the AI SDK have the name of the function that called it, so the name of a tool span is not the tool's.
    tool: ({ span }) => (isAiSdk(span) ? "tool" : undefined),
  },
};

function role(facts: SpanFacts, role: SpanRole): SpanRole {
  const isOutermost = role === "workflow" || role === "unknown" || role === "step";
  return isOutermost && (graphOf(facts) ?? functionOf(facts)) !== undefined ? "agent" : role;
}

const graph = /^langgraph\.graph\.state\.CompiledStateGraph\.(.+)$/;

/** The name that the program gave a graph of LangGraph. */
function graphOf({ span }: SpanFacts): string | undefined {
  const name = graph.exec(span.name)?.[1];
  return name === "LangGraph" ? undefined : name;
}

const outermost: ReadonlySet<unknown> = new Set(["generateText", "streamText", "agent"]);

/** The name that the program gave a function of the AI SDK, from the span of the function itself. */
function functionOf({ span }: SpanFacts): string | undefined {
  const operation = span.named("operation.name");
  return isAiSdk(span) && outermost.has(operation) && span.name !== operation ? span.name : undefined;
}

function isAiSdk(span: SpanFacts["span"]): boolean {
  return span.named("component") === "ai_tracing_vercel_telemetry";
}
