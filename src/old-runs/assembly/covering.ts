import type { LlmCall } from "../fragments/llm-call.ts";
import { plainName } from "../messages/pick.ts";
import type { SpanNode } from "../span/span-node.ts";
import type { ReturnedResult } from "../../model/message.ts";
import { groupBy } from "../../support/structures/group-by.ts";
import { Intervals } from "../search/intervals.ts";

/** The spans and model calls of the run that a call belongs to. */
interface Surroundings {
  readonly toolNodes: readonly SpanNode[];
  readonly calls: readonly LlmCall[];
  /** What `find` finds out about all this, found out once. */
  once<T>(find: (surroundings: Surroundings) => T): T;
}

/**
 * Whether one span stands for several model calls: tools ran within its time, and either its own history has their results,
 * or it ended by itself and asked for nothing. How many calls it was cannot be told.
 */
export function coversSeveral(call: LlmCall, evidence: Surroundings): boolean {
  const { node } = call;
  if (!call.isTimed || !mayHaveTools(call, evidence.toolNodes)) return false;
  const tools = evidence.once(toolsByParent);
  // Right below the call's span, or next to it.
  const [below, beside] = [tools.get(node), node.parent && tools.get(node.parent)];
  const around = [below, beside].filter((one) => one !== undefined).filter((one) => one.anyWithin(call));
  if (around.length === 0) return false;
  const lastStart = evidence.once(lastStarts).get(node.parent) ?? -Infinity;
  const wentOn = !around.some((one) => one.anyBeyond(lastStart, call));
  if (!wentOn && (call.finish === "stop" || showsNoEnd(call)) && call.requests.length === 0) return true;
  return call.inputs.some(({ results }) =>
    results.some((result) => around.some((one) => one.returned(result, call))),
  );
}

/** Its span has neither what came back nor why it ended, under names that an adapter would know. */
function showsNoEnd({ finish, outputs, node }: LlmCall): boolean {
  return finish === null && outputs.length === 0 && node.reading.dialects.adapters.length > 0;
}

/** Whether a tool may lie right below the call's span or next to it, within its time; many tools are searched by an index. */
function mayHaveTools({ node, start, end }: LlmCall, tools: readonly SpanNode[]): boolean {
  if (tools.length === 0 || tools.length > FEW) return tools.length > 0;
  return tools.some(
    (tool) =>
      tool.start >= start &&
      tool.end <= end &&
      (tool.parent === node || (tool.parent === node.parent && node.parent !== undefined)),
  );
}

const FEW = 32;

/** By the span that they lie below, the start of the last call. */
function lastStarts({ calls }: Surroundings): Map<SpanNode | undefined, number> {
  const starts = new Map<SpanNode | undefined, number>();
  for (const { node, start } of calls)
    starts.set(node.parent, Math.max(start, starts.get(node.parent) ?? -Infinity));
  return starts;
}

function toolsByParent({ toolNodes }: Surroundings): Map<SpanNode, Siblings> {
  const tools = groupBy(toolNodes, ({ parent }) => parent);
  return new Map(Array.from(tools, ([parent, nodes]) => [parent, new Siblings(nodes)]));
}

/** The tools right below one span, by their times, ids and names. */
class Siblings {
  readonly #nodes: readonly SpanNode[];
  readonly #all: Intervals;
  readonly #beyond = new Map<number, Intervals>();
  #named: NamedTools | undefined;

  constructor(nodes: readonly SpanNode[]) {
    this.#nodes = nodes;
    this.#all = new Intervals(nodes);
  }

  /** Whether a tool ran within the call's time. */
  anyWithin(call: LlmCall): boolean {
    return this.#all.anyWithin(call);
  }

  /** Whether one of these was still at work at a time. */
  anyBeyond(time: number, call: LlmCall): boolean {
    let late = this.#beyond.get(time);
    if (late === undefined) {
      late = new Intervals(this.#nodes.filter(({ end }) => end > time));
      this.#beyond.set(time, late);
    }
    return late.anyWithin(call);
  }

  /** Whether what came back is from a tool that ran within the call's time. */
  returned(result: ReturnedResult, call: LlmCall): boolean {
    return (this.#named ??= new NamedTools(this.#nodes)).within(result, call);
  }
}

class NamedTools {
  readonly #byId: ReadonlyMap<string, Intervals>;
  readonly #byName: ReadonlyMap<string, Intervals>;
  /** Of tools that have no id. */
  readonly #withoutId: ReadonlyMap<string, Intervals>;

  constructor(nodes: readonly SpanNode[]) {
    const name = (node: SpanNode): string | undefined => {
      const given = node.tool.name;
      return given === undefined ? undefined : plainName(given);
    };
    this.#byId = intervalsBy(nodes, (node) => node.tool.callId);
    this.#byName = intervalsBy(nodes, name);
    this.#withoutId = intervalsBy(
      nodes.filter((node) => node.tool.callId === undefined),
      name,
    );
  }

  /** By id where both have one, else by name. */
  within({ callId, name }: ReturnedResult, call: LlmCall): boolean {
    if (callId !== null && this.#byId.get(callId)?.anyWithin(call) === true) return true;
    if (name === null) return false;
    const named = callId === null ? this.#byName : this.#withoutId;
    return named.get(plainName(name))?.anyWithin(call) === true;
  }
}

function intervalsBy(
  nodes: readonly SpanNode[],
  keyOf: (node: SpanNode) => string | undefined,
): Map<string, Intervals> {
  const groups = groupBy(nodes, keyOf);
  return new Map(Array.from(groups, ([key, group]) => [key, new Intervals(group)]));
}
