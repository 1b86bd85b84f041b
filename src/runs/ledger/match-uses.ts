import type { LlmCall } from "../calls/llm-call.ts";
import type { ToolExecution } from "./executions.ts";
import type { UnnamedResults } from "./requests.ts";
import { sameTool, ToolUse } from "./tool-use.ts";

/** Above this number of uses and executions, only ids are compared, because the other rules compare every pair. */
const MOST_COMPARED = 1000;

/**
 * Matches executions with requests: first by id, then by arguments (if the names are equal or one is absent), then by name, in order. An
 * execution without a request is a use of its own. A tool span in another trace with equal name and arguments continues a use that stopped,
 * for example for an approval, unless both have a result.
 * @returns all uses, in the model's order
 */
export function matchUses(
  requested: readonly ToolUse[],
  executions: readonly ToolExecution[],
  calls: readonly LlmCall[],
): ToolUse[] {
  for (const use of requested)
    if (use.call !== null && use.call >= 0) use.at = calls[use.call]?.start ?? use.at;
  if (executions.length === 0) return [...requested];
  const known = new KnownIds(requested, calls);
  let left = executions.filter((execution) => {
    const use = known.useOf(execution);
    use?.addExecution(execution);
    return use === undefined;
  });
  const areCompared = requested.length + executions.length <= MOST_COMPARED;
  if (areCompared) {
    left = left.filter((execution) => !take(requested, execution, isAskedWith));
    left = left.filter(
      (execution) => !take(requested, execution, isAskedByName) && !take(requested, execution, isResumed),
    );
  }
  const alone: ToolUse[] = [];
  for (const execution of left) {
    const same =
      known.useOf(execution) ?? (areCompared ? alone.find((use) => isResumed(use, execution)) : undefined);
    if (same !== undefined) {
      same.addExecution(execution);
      continue;
    }
    const use = new ToolUse(execution.start);
    use.addExecution(execution);
    known.add(execution, use);
    alone.push(use);
  }
  return alone.length === 0 ? [...requested] : mergeByTime(alone, requested);
}

/**
 * The uses by call id. An id that several requests have does not show alone which of them an execution belongs to; the model call before
 * the execution does.
 */
class KnownIds {
  readonly #byId = new Map<string, ToolUse>();
  readonly #shared = new Set<string>();
  readonly #calls: readonly LlmCall[];

  constructor(requested: readonly ToolUse[], calls: readonly LlmCall[]) {
    this.#calls = calls;
    const seen = new Set<string>();
    for (const { ids } of requested)
      for (const id of ids)
        if (seen.has(id)) this.#shared.add(id);
        else seen.add(id);
    for (const use of requested)
      for (const id of use.ids) {
        const key = this.#shared.has(id) ? ofCall(id, use.call) : id;
        if (!this.#byId.has(key)) this.#byId.set(key, use);
      }
  }

  add(execution: ToolExecution, use: ToolUse): void {
    const key = this.#keyOf(execution);
    if (key !== null) this.#byId.set(key, use);
  }

  useOf(execution: ToolExecution): ToolUse | undefined {
    const { callId } = execution;
    const key = this.#keyOf(execution);
    const use = key === null ? undefined : this.#byId.get(key);
    if (use === undefined || callId === null || !this.#shared.has(callId)) return use;
    return mayBeOf(use, execution) ? use : undefined;
  }

  #keyOf({ callId, start }: ToolExecution): string | null {
    return callId === null || !this.#shared.has(callId) ? callId : ofCall(callId, this.#lastCallAt(start));
  }

  /** Returns the index of the last call that starts at the time or before it; -1 if there is none. */
  #lastCallAt(time: number): number {
    let low = 0;
    let high = this.#calls.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#calls[middle]?.start ?? Infinity) <= time) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }
}

function ofCall(id: string, call: number | null): string {
  return `${call ?? ""} ${id}`;
}

/** Whether neither the tool nor the arguments of an execution differ from those of the use. */
function mayBeOf(use: ToolUse, execution: ToolExecution): boolean {
  const { requestedName, requestedArguments, executions } = use;
  const name = requestedName ?? executions[0]?.name ?? null;
  if (name !== null && execution.name !== null && !sameTool(name, execution.name)) return false;
  const hasArguments = requestedArguments !== undefined || executions[0]?.arguments !== undefined;
  return !hasArguments || execution.arguments === undefined || use.signature === execution.signature;
}

function take(
  requested: readonly ToolUse[],
  execution: ToolExecution,
  fits: (use: ToolUse, execution: ToolExecution) => boolean,
): boolean {
  const use = requested.find((one) => fits(one, execution));
  use?.addExecution(execution);
  return use !== undefined;
}

function isAskedWith(use: ToolUse, execution: ToolExecution): boolean {
  if (use.executions.length > 0) return false;
  const isNamed = execution.name !== null && use.requestedName !== null;
  if (isNamed && !sameTool(use.requestedName, execution.name)) return false;
  return use.signature === execution.signature;
}

function isAskedByName(use: ToolUse, execution: ToolExecution): boolean {
  if (use.executions.length > 0 || !sameTool(use.requestedName, execution.name)) return false;
  // A request with different arguments that was made after the execution ended is another use.
  const isLater =
    execution.arguments !== undefined && use.requestedArguments !== undefined && use.at > execution.end;
  return !isLater;
}

/**
 * Whether the use stopped in another trace without a result, for an approval, and this execution continues it. If no arguments are recorded,
 * only an equal call id shows it.
 */
function isResumed(use: ToolUse, execution: ToolExecution): boolean {
  const last = use.executions[use.executions.length - 1];
  if (last === undefined || last.node.span.traceId === execution.node.span.traceId) return false;
  if (last.result !== undefined && execution.result !== undefined) return false;
  if (last.arguments === undefined && last.callId !== execution.callId) return false;
  return sameTool(last.name, execution.name) && last.signature === execution.signature;
}

/** Returns `requested` with each use of `others` inserted before the first use that starts later. */
function mergeByTime(others: readonly ToolUse[], requested: readonly ToolUse[]): ToolUse[] {
  const sorted = others.toSorted((a, b) => a.at - b.at);
  const all: ToolUse[] = [];
  let next = 0;
  for (const use of requested) {
    for (let other = sorted[next]; other !== undefined && other.at < use.at; other = sorted[++next])
      all.push(other);
    all.push(use);
  }
  for (; next < sorted.length; next++) all.push(sorted[next] as ToolUse);
  return all;
}

/**
 * Assigns results without call ids, in order, to the tools that ran before them without a request. Does nothing if results and tools
 * differ in number, or if the tools did not end in the order of their starts. The results may be in the order of starts or of ends, so the
 * two orders must be equal.
 */
export function answerInOrder(uses: readonly ToolUse[], { results, start }: UnnamedResults): void {
  const ran = uses
    .filter(({ call, executions }) => call === null && executions.length > 0 && lastEnd(executions) <= start)
    .sort((a, b) => a.at - b.at);
  if (ran.length !== results.length) return;
  let end = -Infinity;
  for (const { executions } of ran) {
    if (lastEnd(executions) < end) return;
    end = lastEnd(executions);
  }
  for (const [at, use] of ran.entries()) use.returned = results[at] ?? null;
}

function lastEnd(executions: readonly ToolExecution[]): number {
  return executions.reduce((last, { end }) => Math.max(last, end), -Infinity);
}
