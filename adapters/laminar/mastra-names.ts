import type { SpanFacts, SpanRole } from "../adapter-type.ts";
import { rolesOf } from "../tables.ts";

/**
 * Matches the span names that Mastra itself gives: the kind of the span, and in quotes the name of the agent or tool. Examples are `agent
 * run: 'desk'`, `step: 0` and `tool: 'clock'`. Mastra's exporter for Laminar marks steps and chunks as model calls, so the names are more
 * reliable than the marks.
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

/** Returns the role and the name in Mastra's own span name; undefined for any other name, and for spans of other producers. */
export function mastraSpan({ span }: SpanFacts): Named | undefined {
  const parts = span.scopeName.startsWith("@mastra/") ? namedSpan.exec(span.name) : null;
  const role = parts === null ? undefined : roles.get((parts[1] ?? "").replaceAll(" ", "_"));
  return role === undefined ? undefined : { role, name: parts?.[2] };
}

/** Returns the name of the agent or tool if the span has this role; otherwise undefined. */
export function mastraName(facts: SpanFacts, role: SpanRole): string | undefined {
  const own = mastraSpan(facts);
  return own?.role === role ? own.name : undefined;
}
