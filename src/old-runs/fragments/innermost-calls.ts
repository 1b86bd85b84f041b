import { LlmCall } from "./llm-call.ts";
import { CallLayers, isCounted } from "./call-layers.ts";
import { groupBy } from "../../support/structures/group-by.ts";
import type { SpanNode } from "../span/span-node.ts";
import { withoutUsageRecords } from "./usage-records.ts";
import { StateMessages } from "./state-messages.ts";

/**
 * The model calls among the spans of a trace. Of call spans within each other the innermost counts, and those around it that
 * hold just this one call lend it what it lacks; agents and tools between two call spans make them two calls.
 */
export function innermostCalls(nodes: readonly SpanNode[]): LlmCall[] {
  const { spans, records } = withoutUsageRecords(nodes.filter(isCall));
  if (spans.length === 0) return [];
  const layers = new CallLayers();
  const state = new StateMessages(nodes);
  if (!spans.some((node) => layers.above(node) !== undefined))
    return spans.map((node) => new LlmCall(node, records.get(node) ?? noLayers, layers, state));
  const isPart = (node: SpanNode): boolean => !isCounted(node) && layers.isWithinCounted(node);
  const whole = spans.filter((node) => !isPart(node));
  const outer = new Set<SpanNode>();
  // Once one is known to be an outer one, so are all above it.
  for (const node of whole)
    for (let at = layers.above(node); at !== undefined && !outer.has(at); at = layers.above(at))
      outer.add(at);
  const leaves = whole.filter((node) => !outer.has(node));
  const parts =
    whole.length === spans.length ? noParts : groupBy(spans.filter(isAnswer), (node) => layers.above(node));
  const held = new HeldCalls(leaves, layers);
  return leaves.map((leaf) => {
    const around = held.aroundOnly(leaf);
    const counted = records.get(leaf);
    const all = counted === undefined ? around : [...around, ...counted];
    return new LlmCall(leaf, all, layers, state, undefined, parts.get(leaf)?.length);
  });
}

function isCall({ role }: SpanNode): boolean {
  return role === "call";
}

const noLayers: readonly SpanNode[] = [];
const noParts: ReadonlyMap<SpanNode | undefined, readonly SpanNode[]> = new Map();

/** A call span that returned something, and leaves its model and usage to the one around: Mastra's steps, exported to Arize. */
function isAnswer(node: SpanNode): boolean {
  return !isCounted(node) && (node.reading.has("output") || node.reading.has("outputMessages"));
}

/**
 * How many calls the call spans around others hold. Attempts that failed count only where all did: a gateway tries again, or elsewhere,
 * within the client's one call.
 */
class HeldCalls {
  readonly #layers: CallLayers;
  /** By the span around: one, or two for more than one. */
  readonly #served = new Map<SpanNode, number>();
  readonly #failed = new Map<SpanNode, number>();

  constructor(leaves: readonly SpanNode[], layers: CallLayers) {
    this.#layers = layers;
    for (const leaf of leaves) {
      const held = layers.above(leaf) === undefined || !isFailedAttempt(leaf) ? this.#served : this.#failed;
      for (let at = layers.above(leaf); at !== undefined; at = layers.above(at)) {
        const known = held.get(at) ?? 0;
        // What is further out holds at least as many.
        if (known > 1) break;
        held.set(at, known + 1);
      }
    }
  }

  /** The spans around a call that hold no other. */
  aroundOnly(leaf: SpanNode): SpanNode[] {
    const around: SpanNode[] = [];
    let at = this.#layers.above(leaf);
    if (at === undefined) return around;
    const isFailed = isFailedAttempt(leaf);
    for (; at !== undefined; at = this.#layers.above(at)) {
      const served = this.#served.get(at) ?? 0;
      if (isFailed ? served > 0 || this.#failed.get(at) !== 1 : served !== 1) break;
      around.push(at);
    }
    return around;
  }
}

function isFailedAttempt({ failure, counts }: SpanNode): boolean {
  return failure !== null && counts.output === undefined;
}
