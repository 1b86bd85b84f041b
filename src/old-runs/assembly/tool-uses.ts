import type { LlmCall } from "../fragments/llm-call.ts";
import type { RequestedToolCall } from "./requested-tools.ts";
import { OpenUses } from "./open-uses.ts";
import { ResumedUses } from "./resumed-uses.ts";
import type { ToolExecution } from "./tool-executions.ts";
import type { ToolUse } from "./tool-use.ts";

/** Matches what ran to what was requested, and puts all in the model's order. */
export function matchUses(
  asked: readonly RequestedToolCall[],
  executed: readonly ToolExecution[],
  calls: readonly LlmCall[],
): readonly ToolUse[] {
  const uses: ToolUse[] = asked.map((one) => ({
    requested: one,
    executions: [],
    at: calls[one.call]?.start ?? 0,
  }));
  const left = addById(executed, uses);
  const resumed = isOfSeveralTraces(executed) ? new ResumedUses(uses, addExecution) : undefined;
  const open = new OpenUses(asked, (place) => uses[place]?.executions.length === 0);
  const take = (execution: ToolExecution, use: ToolUse | undefined): boolean => {
    if (use === undefined) return false;
    addExecution(use, execution);
    resumed?.note(use, execution);
    return true;
  };
  // An execution whose request is not in the data does not take that of an execution with the same arguments.
  const rest = left.filter(
    (execution) => !take(execution, uses[open.withArguments(execution.name, execution.arguments) ?? -1]),
  );
  const unmatched = rest.filter((execution) => {
    const use = uses[open.named(execution.name) ?? -1];
    if (use !== undefined && !isAskedLater(use, execution) && take(execution, use)) return false;
    return resumed?.resume(execution) !== true;
  });
  return mergeByTime(
    resumed === undefined ? unrequestedUses(unmatched, uses) : resumed.unrequestedUses(unmatched),
    uses,
  );
}

/** With other arguments, and after the execution had ended: another call's. */
function isAskedLater({ requested, at }: ToolUse, { nodes, arguments: args }: ToolExecution): boolean {
  return args !== undefined && requested?.arguments !== undefined && at > nodes[0].end;
}

/** Adds executions to the uses with their call id; two of one id are one use that waited for an approval. Returns those whose id no model call requested. */
function addById(executed: readonly ToolExecution[], uses: readonly ToolUse[]): readonly ToolExecution[] {
  if (executed.length === 0) return executed;
  const byId = new Map<string, ToolUse>();
  for (const use of uses) for (const id of use.requested?.ids ?? []) if (!byId.has(id)) byId.set(id, use);
  return executed.filter((execution) => {
    const use = execution.callId === undefined ? undefined : byId.get(execution.callId);
    if (use !== undefined) addExecution(use, execution);
    return use === undefined;
  });
}

/** Only where there are several traces can an execution go on that stopped in an earlier one. */
function isOfSeveralTraces(executed: readonly ToolExecution[]): boolean {
  const first = executed[0]?.nodes[0].span.traceId;
  return executed.some(({ nodes }) => nodes[0].span.traceId !== first);
}

/** In order of start; they mostly come so. */
function addExecution({ executions }: ToolUse, execution: ToolExecution): void {
  const { start } = execution.nodes[0];
  let at = executions.length;
  while (at > 0 && (executions[at - 1]?.nodes[0].start ?? 0) > start) at--;
  executions.splice(at, 0, execution);
}

/** The uses that no model call requested; several of one id are one. */
function unrequestedUses(executed: readonly ToolExecution[], uses: readonly ToolUse[]): ToolUse[] {
  if (executed.length === 0) return [];
  const byId = new Map<string | undefined, ToolUse>();
  for (const use of uses) {
    const id = use.executions[0]?.callId;
    if (id !== undefined && !byId.has(id)) byId.set(id, use);
  }
  const alone: ToolUse[] = [];
  for (const execution of executed) {
    const same = execution.callId === undefined ? undefined : byId.get(execution.callId);
    if (same !== undefined) {
      addExecution(same, execution);
      continue;
    }
    const use = { requested: undefined, executions: [execution], at: execution.nodes[0].start };
    alone.push(use);
    if (execution.callId !== undefined) byId.set(execution.callId, use);
  }
  return alone;
}

/** `uses`, with each of the others before the first that came later. */
function mergeByTime(others: readonly ToolUse[], uses: readonly ToolUse[]): readonly ToolUse[] {
  if (others.length === 0) return uses;
  const sorted = others.toSorted((a, b) => a.at - b.at);
  const all: ToolUse[] = [];
  let next = 0;
  for (const use of uses) {
    for (let other = sorted[next]; other !== undefined && other.at < use.at; other = sorted[++next])
      all.push(other);
    all.push(use);
  }
  return [...all, ...sorted.slice(next)];
}
