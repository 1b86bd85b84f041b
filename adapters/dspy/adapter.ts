import type { Adapter, SpanRole, SpanFacts } from "../adapter-type.ts";
import { words } from "../tables.ts";

/**
 * DSPy under instrumentations that have conventions of their own. `src/runs/notations/dspy-steps.ts` reads the fields that DSPy writes into
 * texts.
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
  },
};

const toolPattern = /^(.+)\.(?:__call__|acall)$/;
/** Excludes the tool `finish`, which ends DSPy's loop and is not a tool of the agent. */
function role({ span }: SpanFacts, role: SpanRole): SpanRole {
  return role === "tool" && span.name.startsWith("finish.") ? "step" : role;
}
