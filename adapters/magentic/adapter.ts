import type { Adapter, JsonValue, SpanFacts } from "../adapter-type.ts";

/** Magentic, whose spans Logfire writes: for prompt functions, and for functions that models requested. Model calls have no spans. */
export const magentic: Adapter = {
  dialect: "magentic",
  scopes: ["magentic"],
  names: [
    { pattern: /^Calling (?:async )?(?:chat)?prompt-(?:chain|function) /, role: "agent" },
    { pattern: /^Executing (?:async )?function call /, role: "tool" },
  ],
  derive: {
    agent: ({ span }) => (span.name.startsWith("Calling ") ? span.named("func.__name__") : undefined),
    tool: ({ span }) =>
      span.name.startsWith("Executing ") ? span.named("self._function.__name__") : undefined,
    arguments: (facts) => (facts.span.name.startsWith("Executing ") ? given(facts) : undefined),
    input: (facts) => (facts.span.name.startsWith("Calling ") ? question(facts) : undefined),
  },
};

/** Matches attributes that are not arguments of the function: attributes that Logfire and OpenTelemetry add, and the function's name. */
const others = /^(?:code\.|logfire\.|(?:func|self\._function)\.__name__$)/;

function given({ span }: SpanFacts): Record<string, JsonValue> {
  const object: Record<string, JsonValue> = {};
  for (let place = 0; place < span.size; place++) {
    const name = span.nameAt(place);
    const value = others.test(name) ? undefined : span.valueAt(place);
    if (value !== undefined) object[name] = value;
  }
  return object;
}

/** Returns the only argument of a prompt function as its question; undefined if there are several. */
function question(facts: SpanFacts): JsonValue | undefined {
  const values = Object.values(given(facts));
  return values.length === 1 ? values[0] : undefined;
}
