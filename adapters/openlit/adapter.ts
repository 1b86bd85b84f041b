import { type Adapter, type JsonValue, parseJson, type SpanFacts, type SpanRole } from "../adapter-type.ts";
import { words } from "../tables.ts";

export const openlit: Adapter = {
  dialect: "openlit",
  markers: words(`
    gen_ai.sdk.version gen_ai.agent.actual_output gen_ai.agent.human_input gen_ai.usage.cost
    openlit.agent.version_hash
  `),
  scopes: ["openlit.*", "openlit"],
  fields: {
    input: words(
      "gen_ai.content.prompt gen_ai.agent.human_input gen_ai.workflow.input gen_ai.agent.task function.args gen_ai.framework.pipeline.input_data",
    ),
    output: words(`
      gen_ai.content.completion gen_ai.agent.actual_output gen_ai.workflow.output
      gen_ai.agent.final_result
    `),
    agent: ["gen_ai.agent.role"],
    arguments: ["gen_ai.tool.args"],
  },
  // The span name gives the role, because the span has no attributes if the instrumentation fails while it reads the request.
  names: [{ pattern: /^chat /, role: "call" }],
  role,
  derive: { outputCalls: requestedCalls },
  // OpenLIT reports the providers' own counts: Gemini's output lacks reasoning tokens, and Anthropic's input lacks cached tokens. In
  // JavaScript, the input count of LangChain's calls is half the number of characters.
  apart: ({ span }) => {
    const provider = span.named("gen_ai.provider.name") ?? span.named("gen_ai.system");
    const isEstimate = span.scopeName === "@openlit/instrumentation-langchain";
    return { reasoning: provider === "gemini", cached: provider === "anthropic", isEstimate };
  },
  // Earlier versions write all messages as one text.
  wrappedQuery: [/(?:^|\n)user: ([\s\S]+?)(?=\n(?:system|user|assistant|tool): |$)/],
};

/**
 * Returns the tool requests of a model call. OpenLIT writes their names into the attribute for a tool span's name, even if content capture
 * is off. Several names are joined by commas.
 */
function requestedCalls({ span }: SpanFacts): JsonValue | undefined {
  if (span.named("gen_ai.operation.name") !== "chat") return undefined;
  const [names, ids] = [listIn(span.named("gen_ai.tool.name")), listIn(span.named("gen_ai.tool.call.id"))];
  const args = span.named("gen_ai.tool.args") ?? span.named("gen_ai.tool.call.arguments");
  const given = names.length === 1 && typeof args === "string" ? [args] : argumentsIn(args);
  // Gemini has no call ids.
  if (names.length === 0 || names.length !== (ids.length === 0 ? given : ids).length) return undefined;
  return names.map((name, at) => ({
    name,
    id: ids[at] ?? null,
    ...(given.length === names.length ? { arguments: given[at] ?? null } : {}),
  }));
}

function listIn(value: JsonValue | undefined): string[] {
  return typeof value === "string" && value !== "" ? value.split(", ") : [];
}

/** Returns the arguments of the requests. OpenLIT for Python joins them by commas; OpenLIT for Go writes a list. */
function argumentsIn(value: JsonValue | undefined): readonly JsonValue[] {
  const list = typeof value === "string" ? parseJson(`[${value}]`) : value;
  return Array.isArray(list) ? (list as readonly JsonValue[]) : [];
}

/**
 * Corrects roles. Turns of the Agents SDK are agent spans without a name. ADK's runner is an agent span with the application's name. In
 * AG2, messages between agents and the agents' replies have the operation name of a model call. Guardrails have the operation name of an
 * agent.
 */
function role(facts: SpanFacts, role: SpanRole): SpanRole {
  const { span } = facts;
  // The span of a function with the decorator `openlit.trace`. If the function failed, its span has no attributes.
  const isFunction = span.named("function.args") !== undefined || span.scopeName === "openlit";
  if (role === "unknown" && isFunction) return "step";
  if (role === "call" && span.name.startsWith("execute_task "))
    return span.named("gen_ai.agent.message_type") === "generate_reply" ? "step" : "unknown";
  // Inner operations of Mem0 have the operation name of a workflow.
  if (role === "workflow" && span.named("gen_ai.provider.name") === "mem0") return "memory";
  if (role === "agent" && span.named("gen_ai.guardrail.triggered") !== undefined) return "guardrail";
  const isRunner =
    span.named("gen_ai.execution.mode") !== undefined && span.named("gen_ai.provider.name") === "google_adk";
  if (role === "agent" && isRunner) return "workflow";
  return role === "agent" && facts.span.name === "invoke_agent" && !facts.has("agent") ? "step" : role;
}
