import type { SpanFacts, SpanRole } from "../adapter-type.ts";
import { rolesOf } from "../tables.ts";

/**
 * Mastra's exporter for Laminar marks steps and chunks as model calls, and leaves the names that Mastra itself gives its spans. The names
 * describe each span, with the name of the agent or tool in quotes: `agent run: 'desk'`, `step: 0`, `tool: 'clock'`.
 */
const namedSpan = /^([a-z_ ]+): (?:'([^']+)'|\d+$)/;

const roles: ReadonlyMap<string, SpanRole> = new Map(
  Object.entries(
    rolesOf({
      agent: "agent_run",
      workflow: "workflow_run",
      step: "workflow_step tool_output_mapping condition sleep",
      call: "llm step inference",
      copy: "chunk",
      tool: "tool mcp_tool client_tool provider_tool",
      evaluation: "scorer_run scorer_step",
    }),
  ),
);

interface Named {
  readonly role: SpanRole;
  readonly name: string | undefined;
}

/** Role and name that Mastra's own span name contains; undefined for spans of other producers, and for other names. */
export function mastraSpan({ span }: SpanFacts): Named | undefined {
  const parts = span.scopeName.startsWith("@mastra/") ? namedSpan.exec(span.name) : null;
  const role = parts === null ? undefined : roles.get((parts[1] ?? "").replaceAll(" ", "_"));
  return role === undefined ? undefined : { role, name: parts?.[2] };
}

/** The name of the agent or tool of this span; undefined if the span is something else. */
export function mastraName(facts: SpanFacts, role: SpanRole): string | undefined {
  const own = mastraSpan(facts);
  return own?.role === role ? own.name : undefined;
}
