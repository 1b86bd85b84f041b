import type { Adapter, JsonValue, SpanRole, SpanFacts } from "../adapter-type.ts";
import { contentEvidence } from "../producer-type.ts";

/** Pydantic Logfire's own integrations (OpenAI, OpenAI Agents, Anthropic, Claude Agent SDK, MCP, …). */
export const logfire: Adapter = {
  dialect: "logfire",
  markers: ["logfire.msg", "logfire.msg_template", "logfire.span_type"],
  scopes: ["logfire", "logfire.*"],
  names: [
    { pattern: /^Agent run: /, role: "agent" },
    { pattern: /^Agent workflow\b|^OpenAI Agents trace\b|^Trace: /, role: "workflow" },
    { pattern: /^Function: /, role: "tool" },
    { pattern: /^Handoff: /, role: "handoff" },
    { pattern: /^Guardrail/, role: "guardrail" },
    {
      pattern: /^(?:Responses API|Chat Completion|Chat completion|Message with|Completion with|Generation)/,
      role: "call",
    },
    { pattern: /^(?:Task|Turn)\b/, role: "step" },
    { pattern: /^MCP request: tools\/call/, role: "tool" },
    { pattern: /^Embedding/, role: "embedding" },
  ],
  fields: {
    agent: ["agent_name"],
    conversation: ["group_id"],
    handoffFrom: ["from_agent"],
    handoffTo: ["to_agent"],
    handoffs: ["handoffs"],
    triggered: ["triggered"],
    eventMessages: ["events"],
    usage: ["usage", "gen_ai.usage.raw"],
    input: ["input", "request_data", "request"],
    output: ["output", "response_data", "response", "combined_chunk_content"],
    arguments: ["input"],
    result: ["output"],
    responseId: ["response_id"],
  },
  role,
  derive: {
    tool,
    outputText: streamed,
    agent,
    guardrail: ({ span }) => named(span.named("name"), span.name.startsWith("Guardrail")),
  },
  producers: [
    {
      name: "Logfire",
      scopes: ["logfire", "logfire.*"],
      switches: [
        {
          gives: contentEvidence,
          set: "include_content=True in the call that instruments the library; scrubbing=False if values arrive as [Scrubbed …]",
        },
      ],
      page: "pydantic-ai.md",
    },
  ],
};

/**
 * Logfire first sends each span as a pending copy. The span of a streamed request ends before the answer does; the output is on a second
 * span, written after the stream.
 */
function role(facts: SpanFacts, role: SpanRole): SpanRole {
  const { span } = facts;
  const type = span.named("logfire.span_type");
  if (type === "pending_span") return "copy";
  if (role !== "call" || type !== "span" || span.status === failed || !client.test(span.scopeName))
    return role;
  return answers.some((field) => facts.has(field)) ? role : "step";
}

const failed = 2;
const client = /^logfire\.(?:openai|anthropic|litellm|google_genai)$/;
const answers = ["outputMessages", "output", "inputTokens", "outputTokens", "usage"] as const;

function named(value: JsonValue | undefined, applies: boolean): JsonValue | undefined {
  return applies && value !== null ? value : undefined;
}

/**
 * Returns the text of a stream from a span of an older version, which stores the text next to the number of chunks; otherwise undefined.
 */
function streamed(facts: SpanFacts): JsonValue | undefined {
  if (!facts.span.name.startsWith("streaming response")) return undefined;
  const response = facts.json("output");
  if (response === null || typeof response !== "object" || !("combined_chunk_content" in response))
    return undefined;
  return response.combined_chunk_content;
}

/**
 * Returns the tool's name. Span names are templates: the names of agents and tools are in the template's fields, and `logfire.msg` is the
 * completed template.
 */
function tool({ span }: SpanFacts): JsonValue | undefined {
  if (!span.name.startsWith("Function: ")) return undefined;
  const name = span.named("name");
  if (typeof name === "string" && !name.startsWith("[Scrubbed")) return name;
  const message = span.named("logfire.msg");
  const filled = typeof message === "string" ? /^Function: (.+)$/.exec(message)?.[1] : undefined;
  return filled?.startsWith("[Scrubbed") === true ? undefined : filled;
}

function agent({ span }: SpanFacts): JsonValue | undefined {
  return named(span.named("name"), span.name.startsWith("Agent run: "));
}
