import { isObject } from "../../model/json.ts";
import type { LlmCall } from "../calls/llm-call.ts";
import { readToolSpan, type ToolSpan } from "../calls/tool-span.ts";
import { isTool } from "../calls/tree.ts";
import { RecordView } from "../facts/record-view.ts";
import type { SpanFacts } from "../facts/span-facts.ts";
import { argumentsKey, argumentsOf } from "../notations/arguments.ts";
import { plainName } from "../notations/names.ts";
import type { FragmentBoundary } from "./fragment-boundary.ts";
import { SetIndex } from "./set-index.ts";

/** Longest time in ms between the end of a span and its log record. */
const LONGEST_GAP_MS = 1_000;
/** Maximum number of records that are compared with a span. Senders control how many records have the same time. */
const MOST_COMPARED = 100;

/**
 * Returns the members of a group that belong to the run. If spans joined their session's log records, the records decide which calls the
 * agent made. A span then only adds fields to the call or tool of its record. Three kinds of members do not belong to the run: records that
 * no span joined, calls outside of any agent without a record, and prompts without work.
 */
export function membersOf(group: readonly FragmentBoundary[]): readonly FragmentBoundary[] {
  if (group.every(({ fragment }) => fragment.isPromptOnly)) return [];
  const [records, ...parts] = group;
  if (records === undefined || !records.fragment.isBesideSpans)
    return group.filter(({ fragment }) => !fragment.isAsideCall);
  if (!parts.some(({ isSessionPart }) => isSessionPart)) return parts;
  const recorded = new RecordedSteps(records);
  const left = parts.filter((part) => {
    if (!part.isSessionPart) return true;
    recorded.addTool(part);
    return !recorded.addCalls(part) && !part.fragment.isAsideCall;
  });
  return [records, ...left];
}

/** The calls and tools in a session's log records. Each of them gets at most one span. */
class RecordedSteps {
  readonly #calls = new StepIndex<LlmCall>();
  readonly #tools = new StepIndex<RecordedTool>();

  constructor({ fragment: { calls, nodes } }: FragmentBoundary) {
    for (const call of calls) this.#calls.add(call, call.responseId, tokensOf(call));
    for (const node of nodes.filter(isTool)) {
      const toolSpan = readToolSpan(node);
      this.#tools.add({ node, toolSpan, end: node.end }, toolSpan.callId, plainName(toolSpan.name ?? ""));
    }
  }

  /** Adds the calls of a trace without tools to the calls in the records. Returns whether all calls of the trace are in the records. */
  addCalls({ fragment: { calls, nodes } }: FragmentBoundary): boolean {
    if (calls.length === 0 || nodes.some(isTool)) return false;
    const found = calls.map((call) => [call, this.#recordOf(call)] as const);
    if (found.some(([, record]) => record === undefined)) return false;
    for (const [call, record] of found)
      if (record?.around.includes(call.node) === false) record.addLayers([call.node, ...call.around]);
    return true;
  }

  /** Returns the recorded call with the same response id, or else with the same tokens and time; undefined if there is none. */
  #recordOf(call: LlmCall): LlmCall | undefined {
    const { responseId } = call;
    return this.#calls.take(call, responseId, tokensOf(call), ({ responseId: other }) =>
      responseId === null || other === null ? "maybe" : "no",
    );
  }

  /**
   * Makes the tool's record the parent of the tool's trace, so that both are read as one execution, including its sub-agent. The record has
   * the tool's call id, or else its name and time and, if recorded, its arguments.
   */
  addTool({ fragment: { root } }: FragmentBoundary): void {
    if (root.role !== "tool") return;
    const toolSpan = readToolSpan(root);
    const found = this.#tools.take(root, toolSpan.callId, plainName(toolSpan.name ?? ""), (one) => {
      if (toolSpan.callId !== null && one.toolSpan.callId !== null) return "no";
      return hasArguments(one.toolSpan, toolSpan) ? "likely" : "maybe";
    });
    // No record is found, or the tool already has a span as parent.
    if (found === undefined || (root.parent !== null && !(root.parent.span instanceof RecordView))) return;
    root.parent = found.node;
    found.node.children.splice(0, Infinity, root);
  }
}

interface Step {
  readonly end: number;
}

interface RecordedTool extends Step {
  readonly node: SpanFacts;
  readonly toolSpan: ToolSpan;
}

/** Recorded steps by id, and by kind and time. */
class StepIndex<T extends Step> {
  readonly #byId = new Map<string, T>();
  readonly #byTime = new SetIndex<string, T>();
  readonly #taken = new Set<T>();

  add(step: T, id: string | null, kind: string): void {
    if (id !== null && !this.#byId.has(id)) this.#byId.set(id, step);
    this.#byTime.add(`${timeOf(step)} ${kind}`, step);
  }

  /**
   * Removes and returns the step with the id. Without one, returns a step of this kind that ended within `LONGEST_GAP_MS` of the span:
   * preferably a likely one, and of several the nearest. Undefined if there is none.
   */
  take(span: Step, id: string | null, kind: string, likelihood: (step: T) => Likelihood): T | undefined {
    const found =
      (id === null ? undefined : this.#free(this.#byId.get(id))) ?? this.#near(span, kind, likelihood);
    if (found !== undefined) this.#taken.add(found);
    return found;
  }

  #free(step: T | undefined): T | undefined {
    return step === undefined || this.#taken.has(step) ? undefined : step;
  }

  #near({ end }: Step, kind: string, likelihood: (step: T) => Likelihood): T | undefined {
    let best: { readonly step: T; readonly isLikely: boolean; readonly gap: number } | undefined;
    let left = MOST_COMPARED;
    for (const time of [timeOf({ end }), timeOf({ end }) - 1, timeOf({ end }) + 1])
      for (const step of this.#byTime.get(`${time} ${kind}`)) {
        if (left-- <= 0) break;
        const gap = Math.abs(step.end - end);
        if (gap > LONGEST_GAP_MS || this.#taken.has(step)) continue;
        const likely = likelihood(step);
        if (likely === "no") continue;
        const isLikely = likely === "likely";
        const isBetter = best === undefined || (isLikely === best.isLikely ? gap < best.gap : isLikely);
        if (isBetter) best = { step, isLikely, gap };
      }
    return best?.step;
  }
}

type Likelihood = "likely" | "maybe" | "no";

function timeOf({ end }: Step): number {
  return Math.floor(end / LONGEST_GAP_MS);
}

function tokensOf({ counts: { input, output }, failure }: LlmCall): string {
  return output === undefined && failure !== null ? "failed" : `${input ?? ""} ${output ?? ""}`;
}

/** Whether a span has the recorded arguments, or the value of one of them as its only text. */
function hasArguments({ arguments: recorded }: ToolSpan, { arguments: ofSpan }: ToolSpan): boolean {
  if (argumentsKey(recorded) === argumentsKey(ofSpan)) return true;
  const { value } = argumentsOf(recorded);
  return isObject(value) && typeof ofSpan === "string" && Object.values(value).includes(ofSpan);
}
