import type { Adapter, JsonValue, SpanRole, SpanFacts } from "../adapter-type.ts";
import { nativeAgent, nativeFields, nativeNames, nativeOutput, nativeTool } from "./native.ts";
import { words } from "../tables.ts";

/**
 * LlamaIndex's own spans with events, and the spans of OpenLLMetry, OpenInference and traceAI for LlamaIndex. In the spans of these
 * instrumentations, each workflow step is a task or chain, and the step's event (JSON) describes the step.
 */
export const llamaindex: Adapter = {
  dialect: "llamaindex",
  markers: ["llamaindex.run_id", "llamaindex.step.input_event"],
  scopes: words(`
    opentelemetry.instrumentation.llamaindex @traceloop/instrumentation-llamaindex
    llamaindex.opentelemetry.tracer openinference.instrumentation.llama_index traceai_llamaindex
  `),
  names: nativeNames,
  fields: { arguments: ["tool.arguments"] },
  events: nativeFields,
  role,
  derive: {
    agent: (facts) => eventOf(facts)?.agent ?? stepAgent(facts) ?? nativeAgent(facts),
    tool: (facts) => eventOf(facts)?.tool ?? nativeTool(facts)?.name,
    arguments: (facts) => nativeTool(facts)?.arguments,
    output: nativeOutput,
    callId: (facts) => nativeTool(facts)?.id,
  },
  producers: [
    {
      name: "LlamaIndex",
      scopes: ["llamaindex.opentelemetry.tracer"],
      switches: [
        {
          gives: ["messages", "tool_arguments", "usage"],
          set: "openinference-instrumentation-llama-index instead of the native package, which writes events only in its early versions",
        },
      ],
      page: "llamaindex.md",
    },
  ],
};

interface StepEvent {
  readonly role: SpanRole;
  readonly agent: JsonValue | undefined;
  readonly tool: JsonValue | undefined;
}

/** Returns the role of a workflow step. The fields of the step's event show whether the step is a model call or a tool call. */
function role(facts: SpanFacts, role: SpanRole): SpanRole {
  if (role !== "step") return role;
  return eventOf(facts)?.role ?? (facts.has("arguments") ? "tool" : role);
}

/**
 * Matches steps of an agent workflow whose event names the agent at work. The event of the complete run is excluded, because it names the
 * last agent.
 */
const agentSteps = /\.(?:init_run|setup_agent|run_agent_step)$/;

/** Returns the agent that a step's event names. Used if model calls have their own spans within the step. */
function stepAgent({ span }: SpanFacts): string | undefined {
  if (!agentSteps.test(span.name)) return undefined;
  const output = span.named("output.value");
  return typeof output === "string" ? agentIn(output) : undefined;
}

function agentIn(event: string): string | undefined {
  return /"current_agent_name":\s*"([^"]+)"/.exec(event)?.[1];
}

const heads = {
  answer: /^\{\s*"response":/,
  tool: /^\{\s*"(?:tool_name|blocks)":/,
} as const;

function eventOf(facts: SpanFacts): StepEvent | undefined {
  const head = facts.head("traceloop.entity.output");
  if (head === undefined || !(heads.answer.test(head) || heads.tool.test(head))) return undefined;
  const output = facts.span.named("traceloop.entity.output");
  if (typeof output !== "string") return undefined;
  const agent = agentIn(output);
  if (heads.answer.test(output) && agent !== undefined) return { role: "call", agent, tool: undefined };
  const tool = heads.tool.test(output) ? /"tool_name":\s*"([^"]+)"/.exec(output)?.[1] : undefined;
  return tool === undefined ? undefined : { role: "tool", agent: undefined, tool };
}
