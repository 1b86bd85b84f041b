import type { Adapter, JsonValue, SpanRole, SpanFacts } from "../adapter-type.ts";

/** MLflow tracing. Every value is JSON, even a plain text. */
export const mlflow: Adapter = {
  dialect: "mlflow",
  markers: ["mlflow.spanType", "mlflow.spanInputs", "mlflow.spanOutputs", "mlflow.traceRequestId"],
  roles: {
    "mlflow.spanType": quoted({
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
    // On the span of a CrewAI agent, the agent object's fields are attributes; `llm` is the model.
    requestModel: (facts) =>
      facts.span.named("entity_type") === '"agent"' ? unquoted("llm")(facts) : undefined,
    tool: name,
    agent,
    input: (facts) => (facts.span.name === "Task.execute_sync" ? unquoted("description")(facts) : undefined),
    output,
  },
};

/** Gives the role `agent` to spans of LangChain's agents: chain spans whose name is the agent name in the metadata. */
function role({ span }: SpanFacts, role: SpanRole): SpanRole {
  if (role !== "step") return role;
  const metadata = span.named("metadata");
  const named = typeof metadata === "string" ? /"lc_agent_name":\s*"([^"]+)"/.exec(metadata)?.[1] : undefined;
  return named === span.name ? "agent" : role;
}

/** Returns the agent's name. MLflow writes the fields of the agent's object as attributes of its span. */
function agent(facts: SpanFacts): JsonValue | undefined {
  const { span } = facts;
  if (/^(?:BaseWorkflowAgent|AgentWorkflow)\./.test(span.name)) return agentAtWork(span);
  const isObject =
    facts.head("mlflow.message.format") !== undefined || facts.head("agent_name") !== undefined;
  return isOfType(facts, "AGENT") && isObject ? unquoted("name")(facts) : undefined;
}

/** Returns the agent that the input or output event of a LlamaIndex workflow step names. */
function agentAtWork(span: SpanFacts["span"]): string | undefined {
  for (const attribute of ["mlflow.spanInputs", "mlflow.spanOutputs"]) {
    const text = span.named(attribute);
    const name = typeof text === "string" ? /"current_agent_name": ?"([^"\\]+)"/.exec(text)?.[1] : undefined;
    if (name !== undefined) return name;
  }
  return undefined;
}

/**
 * Returns the output of an agent or tool. Pydantic AI's result is an object with the output and the complete state of the run. MLflow wraps
 * other Python values in an object with the key `_value`.
 */
function output(facts: SpanFacts): JsonValue | undefined {
  if (!isOfType(facts, "AGENT") && !isOfType(facts, "TOOL")) return undefined;
  const value = facts.json("output");
  if (typeof value !== "object" || value === null) return undefined;
  if ("output" in value && "_state" in value) return value["output"];
  return "_value" in value && Object.keys(value).length === 1 ? value["_value"] : undefined;
}

function isOfType({ span }: SpanFacts, type: string): boolean {
  const value = span.named("mlflow.spanType");
  return value === type || value === `"${type}"`;
}

/** Adds each role value a second time, in quotation marks, because MLflow usually writes values as JSON. */
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

/** Returns the tool's name: its own field, otherwise the span name. A span name that is only a class and its method is not a tool name. */
function name(facts: SpanFacts): JsonValue | undefined {
  if (!isOfType(facts, "TOOL")) return undefined;
  const { span } = facts;
  if (span.name.startsWith("FinalAnswerTool.")) return "final_answer";
  return (
    unquoted("name")(facts) ??
    (/^[A-Z]\w*\.\w+$/.test(span.name) ? undefined : span.name.replace(/_\d+$/, ""))
  );
}
