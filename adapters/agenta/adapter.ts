import { type Adapter, type JsonValue, parseJson, type SpanFacts } from "../adapter-type.ts";
import { rolesOf } from "../tables.ts";

/** Agenta's SDK, which spreads the arguments and the result of each decorated function over attributes. */
export const agenta: Adapter = {
  dialect: "agenta",
  markers: ["ag.type.node"],
  scopes: ["agenta.tracer"],
  roles: {
    "ag.type.node": rolesOf({
      agent: "agent",
      workflow: "workflow chain",
      tool: "tool",
      step: "task",
      call: "llm chat completion",
      embedding: "embedding",
      retriever: "query",
      reranker: "rerank",
    }),
  },
  fields: {
    requestModel: ["ag.meta.configuration.model"],
    inputTokens: ["ag.metrics.tokens.prompt", "ag.metrics.unit.tokens.prompt"],
    outputTokens: ["ag.metrics.tokens.completion", "ag.metrics.unit.tokens.completion"],
    totalTokens: ["ag.metrics.tokens.total", "ag.metrics.unit.tokens.total"],
    cost: ["ag.metrics.unit.costs.total"],
    conversation: ["ag.session.id"],
  },
  derive: {
    input: (facts) => whole(facts, inputs),
    output: (facts) => whole(facts, outputs),
    inputMessages: ({ span }) => unmarked(span.named("ag.data.inputs.messages")),
    outputMessages: answer,
  },
};

const inputs = "ag.data.inputs.";
const outputs = "ag.data.outputs.";
/** Prefix of a value that is JSON. */
const mark = "@ag.type=json:";

function unmarked(value: JsonValue | undefined): JsonValue | undefined {
  return typeof value === "string" && value.startsWith(mark) ? parseJson(value.slice(mark.length)) : value;
}

/** Returns the attributes below a prefix as one object. If a result has no keys, Agenta writes it as `__default__`. */
function spread({ span }: SpanFacts, prefix: string): Record<string, JsonValue> {
  const object: Record<string, JsonValue> = {};
  for (let place = 0; place < span.size; place++) {
    const name = span.nameAt(place);
    if (!name.startsWith(prefix)) continue;
    const value = unmarked(span.valueAt(place));
    if (value !== undefined) object[name.slice(prefix.length)] = value;
  }
  return object;
}

function whole(facts: SpanFacts, prefix: string): JsonValue | undefined {
  const object = spread(facts, prefix);
  const keys = Object.keys(object);
  return keys.length === 0 ? undefined : (object["__default__"] ?? object);
}

/** Returns the message that a decorated function returned. Agenta writes each key of the message as an attribute. */
function answer(facts: SpanFacts): JsonValue | undefined {
  const object = spread(facts, outputs);
  return object["role"] === undefined ? undefined : [object];
}
