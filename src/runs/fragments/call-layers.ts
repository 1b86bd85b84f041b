import { Nearest } from "../span/nearest.ts";
import type { SpanNode } from "../span/span-node.ts";

/** The call spans around call spans: those above, up to an agent, tool or hand-off. */
export class CallLayers {
  readonly #above = new Nearest((node) => {
    if (node.role === "call") return node;
    return node.role === "agent" || node.role === "tool" || node.role === "handoff" ? null : undefined;
  });
  readonly #withinCounted = this.#around((node) => (isCounted(node) ? true : undefined));
  readonly #model = this.#around((node) => node.text("requestModel"));

  /** The nearest call span around a span. */
  above(node: SpanNode): SpanNode | undefined {
    return this.#above.of(node.parent) ?? undefined;
  }

  /** Whether a call span around has a model or usage. */
  isWithinCounted(node: SpanNode): boolean {
    return this.#withinCounted.of(node.parent) === true;
  }

  /** The model asked for, by the nearest call span around that says it. */
  requestModel(node: SpanNode): string | undefined {
    return this.#model.of(node.parent) ?? undefined;
  }

  /** What the nearest call span around tells, null where none does. */
  #around<T>(tell: (node: SpanNode) => T | undefined): Nearest<T | null> {
    return new Nearest<T | null>((node) => {
      if (node.role === "call") return tell(node);
      return node.role === "agent" || node.role === "tool" || node.role === "handoff" ? null : undefined;
    });
  }
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
