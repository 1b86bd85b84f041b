import { Nearest } from "../span/nearest.ts";
import type { SpanNode } from "../span/span-node.ts";

/** The call spans around call spans: those above, up to an agent, tool or hand-off. */
export class CallLayers {
  readonly #above = new Nearest(callOrEdge);
  #withinCounted: Nearest<boolean | null> | undefined;
  #model: Nearest<string | null> | undefined;

  /** The nearest call span around a span. */
  above(node: SpanNode): SpanNode | undefined {
    return this.#above.of(node.parent) ?? undefined;
  }

  /** Whether a call span around has a model or usage. */
  isWithinCounted(node: SpanNode): boolean {
    return (this.#withinCounted ??= new Nearest(countedOrEdge)).of(node.parent) === true;
  }

  /** The model asked for, by the nearest call span around that says it. */
  requestModel(node: SpanNode): string | undefined {
    return (this.#model ??= new Nearest(modelOrEdge)).of(node.parent) ?? undefined;
  }
}

/** Null where another's work begins. */
function edge({ role }: SpanNode): null | undefined {
  return role === "agent" || role === "tool" || role === "handoff" ? null : undefined;
}

function callOrEdge(node: SpanNode): SpanNode | null | undefined {
  return node.role === "call" ? node : edge(node);
}

function countedOrEdge(node: SpanNode): boolean | null | undefined {
  return node.role === "call" ? isCounted(node) || undefined : edge(node);
}

function modelOrEdge(node: SpanNode): string | null | undefined {
  return node.role === "call" ? node.text("requestModel") : edge(node);
}

/** It has a model or usage: a call, not a chunk of one or an attempt. */
export function isCounted({ reading }: SpanNode): boolean {
  return (
    reading.has("requestModel") ||
    reading.has("responseModel") ||
    reading.has("model") ||
    reading.has("inputTokens") ||
    reading.has("usage")
  );
}
