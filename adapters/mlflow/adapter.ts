import type { Adapter, JsonValue, SpanFacts } from "../../src/runs/adapter.ts";

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
  derive: { model: unquoted("mlflow.llm.model"), provider: unquoted("mlflow.llm.provider"), tool: name },
};

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

function name({ span }: SpanFacts): string | undefined {
  const type = span.named("mlflow.spanType");
  return typeof type === "string" && /^"?TOOL"?$/.test(type) ? span.name.replace(/_\d+$/, "") : undefined;
}
