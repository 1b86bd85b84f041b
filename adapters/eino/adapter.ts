import { type Adapter, type JsonValue, parseJson, type SpanFacts } from "../adapter-type.ts";
import { rolesOf } from "../tables.ts";

const PROMPT = "gen_ai.prompt.0.content";
const COMPLETION = "gen_ai.completion.0.content";

/** CloudWeGo's Eino with the callbacks for APMPlus. */
export const eino: Adapter = {
  dialect: "eino",
  markers: ["runinfo.component"],
  roles: {
    "runinfo.component": rolesOf({
      agent: "agent agenticagent",
      call: "chatmodel agenticmodel",
      tool: "tool",
      step: "toolsnode agentictoolsnode lambda graph stategraph chain workflow passthrough chattemplate agenticprompt",
      retriever: "retriever",
      embedding: "embedding",
    }),
  },
  fields: { conversation: ["gen_ai.session.id"] },
  derive: {
    agent: (facts) => ifComponent(facts, "Agent", "runinfo.name"),
    tool: (facts) => ifComponent(facts, "Tool", "runinfo.name"),
    // On a tool's span, the attributes of a model call's first message contain the tool's arguments and result.
    arguments: (facts) => ifComponent(facts, "Tool", PROMPT),
    result: (facts) => ifComponent(facts, "Tool", COMPLETION),
    outputMessages: requestingMessages,
  },
  producers: [
    {
      name: "Eino with APMPlus callbacks",
      scopes: ["github.com/cloudwego/eino-ext/callbacks/apmplus"],
      switches: [{ gives: ["session_ids"], set: "apmplus.SetSession(ctx, apmplus.WithSessionID(id))" }],
      cannot: [
        { what: "tool_definitions", why: "the callbacks do not record the tools that a model was offered" },
      ],
      page: "go-java-rust.md",
    },
  ],
};

function ifComponent({ span }: SpanFacts, component: string, attribute: string): JsonValue | undefined {
  return span.named("runinfo.component") === component ? span.named(attribute) : undefined;
}

/**
 * Returns the messages of an answer that requests tools; undefined for other answers. Eino writes such an answer as JSON into the attribute
 * for the text.
 */
function requestingMessages({ span }: SpanFacts): JsonValue | undefined {
  const content = span.named(COMPLETION);
  if (span.named("runinfo.component") !== "ChatModel" || typeof content !== "string") return undefined;
  return content.startsWith('[{"role":') ? parseJson(content) : undefined;
}
