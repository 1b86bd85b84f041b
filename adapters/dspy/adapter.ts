import type { Adapter, SpanRole, SpanFacts } from "../adapter-type.ts";
import { words } from "../tables.ts";

/** DSPy under instrumentations of its own. `src/runs/notations/dspy-steps.ts` reads the fields that DSPy writes into texts. */
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
/** The tool `finish` ends DSPy's loop; it is not a tool of the agent. */
function role({ span }: SpanFacts, role: SpanRole): SpanRole {
  return role === "tool" && span.name.startsWith("finish.") ? "step" : role;
}
