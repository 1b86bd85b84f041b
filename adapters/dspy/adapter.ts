import type { Adapter, JsonValue, SpanRole, SpanFacts } from "../adapter-type.ts";
import { words } from "../tables.ts";

/**
 * DSPy, as OpenInference records it. DSPy programs exchange plain text with models: fields under headings, or JSON. In a ReAct program, the
 * model names the next tool in an output field, so its text can contain a tool call or the answer.
 */
export const dspy: Adapter = {
  dialect: "dspy",
  scopes: words(`
    openinference.instrumentation.dspy opentelemetry.instrumentation.dspy
    opentelemetry.instrumentation.genai.dspy
  `),
  role,
  derive: {
    tool: ({ span }) => toolPattern.exec(span.name)?.[1],
    outputMessages: (facts) => wordsOfModel(facts),
  },
};

const toolPattern = /^(.+)\.(?:__call__|acall)$/;
/** Excludes the tool `finish`, which ends DSPy's loop and is not a tool of the agent. */
function role({ span }: SpanFacts, role: SpanRole): SpanRole {
  return role === "tool" && span.name.startsWith("finish.") ? "step" : role;
}

const asked = ["next_tool_name", "next_tool_args"] as const;
/** Output fields that are not part of the answer. */
const aside: ReadonlySet<string> = new Set([
  "reasoning",
  "rationale",
  "completed",
  "next_thought",
  "trajectory",
]);

/**
 * Returns the model's text as a message. If the text names a tool, the message is a call of this tool; otherwise it is the last field that
 * is part of the answer.
 */
function wordsOfModel({ span }: SpanFacts): JsonValue | undefined {
  const text = span.named("llm.output_messages.0.message.content");
  if (typeof text !== "string") return undefined;
  const fields = readFields(text);
  const tool = fields?.get(asked[0])?.replace(/^"|"$/g, "");
  if (fields === undefined) return undefined;
  if (tool !== undefined && tool !== "finish")
    return [{ role: "assistant", tool_calls: [{ name: tool, arguments: fields.get(asked[1]) ?? "{}" }] }];
  const last = [...fields].findLast(([name]) => !aside.has(name) && !name.startsWith("next_tool"));
  return last === undefined ? undefined : [{ role: "assistant", content: last[1] }];
}

const heading = /\[\[ ## (\w+) ## \]\]\n?/;

function readFields(text: string): ReadonlyMap<string, string> | undefined {
  if (!heading.test(text)) return undefined;
  const fields = new Map<string, string>();
  const parts = text.split(heading);
  for (let at = 1; at + 1 < parts.length; at += 2) fields.set(parts[at] ?? "", (parts[at + 1] ?? "").trim());
  return fields;
}
