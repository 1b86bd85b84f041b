import type { LlmCall } from "../fragments/llm-call.ts";
import type { SpanNode } from "../span/span-node.ts";
import type { Evidence } from "../assembly/evidence.ts";

/** Finds the spans and calls that a run's facts are about; of several the first. */
export class EvidenceIndex {
  readonly #nodes = new Map<string | null, SpanNode>();
  readonly #byId = new Map<string | null, LlmCall>();
  readonly #byName = new Map<string | null, LlmCall>();

  constructor({ nodes, calls }: Evidence) {
    for (const node of nodes) setFirst(this.#nodes, node.span.spanId, node);
    for (const call of calls) {
      for (const { id, name } of call.requests) {
        setFirst(this.#byId, id, call);
        setFirst(this.#byName, name, call);
      }
    }
  }

  nodeOf(spanId: string | null): SpanNode | undefined {
    return this.#nodes.get(spanId);
  }

  /** The call that asked for a tool under this id. */
  callAsking(callId: string): LlmCall | undefined {
    return this.#byId.get(callId);
  }

  callAskingFor(tool: string | null): LlmCall | undefined {
    return this.#byName.get(tool);
  }
}

function setFirst<Key, Value>(map: Map<Key, Value>, key: Key, value: Value): void {
  if (!map.has(key)) map.set(key, value);
}
