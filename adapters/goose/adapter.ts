import type { Adapter, JsonValue, SpanFacts, SpanRole } from "../adapter-type.ts";

/** Block's goose. Goose's spans are named after functions of the program. */
export const goose: Adapter = {
  dialect: "goose",
  scopes: ["goose", "goose-cli", "goosed"],
  fields: {
    conversation: ["session.id"],
    input: ["user_message", "trace_input"],
    // `trace_output` contains only the last chunk of a streamed answer, so it is not used as the answer.
    streamed: ["trace_output"],
  },
  role,
  derive: {
    // Goose names spans after functions, so the agent has the name `goose` instead of the span name.
    agent: ({ span }) => (roles[span.name] === "agent" ? "goose" : undefined),
    tool: (facts) => (isDispatch(facts) ? partOf(facts, "tool") : undefined),
    arguments: (facts) => (isDispatch(facts) ? partOf(facts, "arguments") : undefined),
  },
  producers: [
    {
      name: "goose",
      scopes: ["goose", "goose-cli", "goosed"],
      switches: [],
      cannot: [
        { what: "query", why: "goose 1.50 and newer record no texts" },
        {
          what: "answer",
          why: "goose 1.50 and newer record no texts; older versions record only a part of a streamed answer",
        },
        { what: "tool_arguments", why: "goose 1.50 and newer record no arguments" },
        { what: "tool_results", why: "goose does not record the results of tools" },
        { what: "usage", why: "goose before 1.50 reports tokens only in metrics, not in spans" },
      ],
      page: "coding.md",
    },
  ],
};

/**
 * Roles by span name. Up to version 1.34, a question, the work on the question, and the call that creates a session title have separate
 * traces. The model's name is only on the title call.
 */
const roles: Readonly<Record<string, SpanRole>> = {
  reply: "agent",
  reply_stream: "agent",
  complete: "agent",
  stream_response_from_provider: "call",
  dispatch_tool_call: "tool",
};

function role({ span }: SpanFacts, role: SpanRole): SpanRole {
  return roles[span.name] ?? role;
}

function isDispatch({ span }: SpanFacts): boolean {
  return span.name === "dispatch_tool_call";
}

function partOf(facts: SpanFacts, name: "tool" | "arguments"): JsonValue | undefined {
  const input = facts.json("input");
  return typeof input === "object" && input !== null && !Array.isArray(input)
    ? (input as Record<string, JsonValue>)[name]
    : undefined;
}
