import type { Adapter, JsonValue, SpanRole, SpanFacts } from "../adapter-type.ts";

/** MLflow tracing; every value is JSON, plain texts included. */
export const mlflow: Adapter = {
  dialect: "mlflow",
  markers: ["mlflow.spanType", "mlflow.spanInputs", "mlflow.spanOutputs", "mlflow.traceRequestId"],
  roles: [
    {
      attribute: "mlflow.spanType",
      roles: quoted({
        llm: "call",
        chat_model: "call",
        chain: "step",
        parser: "step",
        memory: "step",
        task: "step",
        workflow: "workflow",
        agent: "agent",
        tool: "tool",
        retriever: "retriever",
        embedding: "embedding",
        reranker: "reranker",
        evaluator: "evaluation",
        guardrail: "guardrail",
        unknown: "step",
      }),
    },
  ],
  fields: {
    conversation: ["mlflow.trace.session", "session.id"],
    usage: ["mlflow.chat.tokenUsage"],
    input: ["mlflow.spanInputs"],
    output: ["mlflow.spanOutputs"],
    toolDefinitions: ["mlflow.chat.tools"],
  },
  role,
  derive: {
    model: unquoted("mlflow.llm.model"),
    provider: unquoted("mlflow.llm.provider"),
    tool: name,
    agent,
    output,
  },
};

/** LangChain's agents are chains, named as the metadata says that the agent at work is. */
function role({ span }: SpanFacts, role: SpanRole): SpanRole {
  if (role !== "step") return role;
  const metadata = span.named("metadata");
  const named = typeof metadata === "string" ? /"lc_agent_name":\s*"([^"]+)"/.exec(metadata)?.[1] : undefined;
  return named === span.name ? "agent" : role;
}

/** Fields of the agent's object are attributes of its span. */
function agent(facts: SpanFacts): JsonValue | undefined {
  return isOfType(facts, "AGENT") && facts.head("mlflow.message.format") !== undefined
    ? unquoted("name")(facts)
    : undefined;
}

/** Pydantic AI's result is an object that has the whole state of the run beside the output. */
function output(facts: SpanFacts): JsonValue | undefined {
  if (!isOfType(facts, "AGENT")) return undefined;
  const value = facts.json("output");
  const isResult = typeof value === "object" && value !== null && "output" in value && "_state" in value;
  return isResult ? value["output"] : undefined;
}

function isOfType({ span }: SpanFacts, type: string): boolean {
  const value = span.named("mlflow.spanType");
  return value === type || value === `"${type}"`;
}

/** Values come with the quotes of their JSON. */
function quoted<T>(roles: Readonly<Record<string, T>>): Record<string, T> {
  const entries = Object.entries(roles);
  return Object.fromEntries([...entries, ...entries.map(([name, role]): [string, T] => [`"${name}"`, role])]);
}

function unquoted(attribute: string): (facts: SpanFacts) => JsonValue | undefined {
  return ({ span }) => {
    const value = span.named(attribute);
    return typeof value === "string" ? value.replace(/^"|"$/g, "") : undefined;
  };
}

function name(facts: SpanFacts): string | undefined {
  return isOfType(facts, "TOOL") ? facts.span.name.replace(/_\d+$/, "") : undefined;
}
