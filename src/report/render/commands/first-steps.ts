import { counted, printable } from "../terminal/printable.ts";

/** A group of spans that belong to no agent run. The traces of a group begin with the same kind of span. */
export interface AgentlessSpans {
  readonly service: string | null;
  readonly kind: string;
  readonly scope: string;
  readonly spans: number;
}

const MOST_NAMED = 3;

/**
 * Describes spans that belong to no agent, and the next step. The text begins like `6 received spans belong to no agent (service shop: HTTP
 * server, scope http)`.
 * @param mayFollow whether spans of an agent may still arrive. Some agents first send many traces about work that is not part of a run
 */
export function agentlessText(
  groups: readonly AgentlessSpans[],
  nextCommand: string,
  mayFollow: boolean,
): string {
  const spans = groups.reduce((sum, group) => sum + group.spans, 0);
  const named = groups.slice(0, MOST_NAMED).map(beginningText);
  const more = groups.length > MOST_NAMED ? [`${groups.length - MOST_NAMED} more`] : [];
  const begin = mayFollow ? "If no run appears after the agent has finished, switch" : "Switch";
  const [belong, none] = spans === 1 ? ["belongs", "it is not"] : ["belong", "none of them is"];
  return (
    `${counted(spans, "received span")} ${belong} to no agent (${[...named, ...more].join("; ")}): ${none} an agent, a model call or a tool call. ` +
    `${begin} on the instrumentation of the agent's framework in that service (docs/dialects.md lists the supported frameworks); next: ${nextCommand}`
  );
}

function beginningText({ service, kind, scope }: AgentlessSpans): string {
  const from = service === null ? "no service name" : `service ${printable(service, 100)}`;
  return `${from}: ${kind}${scope === "" ? "" : `, scope ${printable(scope, 100)}`}`;
}

/** Returns a text such as `12 runs received, no spec yet`, with the command that creates a spec from the runs. */
export function noSpecText(runs: number, initCommand: string): string {
  return `${counted(runs, "run")} received, no spec yet: ${initCommand} writes a spec from ${runs === 1 ? "this run" : "these runs"}`;
}
