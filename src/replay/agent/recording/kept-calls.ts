import { randomBytes } from "node:crypto";
import { callSpan, type RecordedCall, spansRequest } from "../../../model-server/record/call-span.ts";
import { ConversationTraces } from "../../../model-server/record/conversation-traces.ts";
import type { CallOrigin } from "../../../model-server/record/trace-parent.ts";
import { type AgentSpan, placeCalls, type UnplacedCall } from "../../../model-server/record/place-calls.ts";
import { append } from "../../../support/structures/group-by.ts";

interface KeptCall {
  readonly call: RecordedCall;
  readonly unplaced: UnplacedCall;
}

/** Calls of an agent whose base URL has no segment of its own. */
const SHARED = "";

/** The model calls of agent processes, to be put among the spans that the agents sent. */
export class KeptCalls {
  readonly #calls = new Map<string, KeptCall[]>();
  readonly #traceIds = new Map<string, string>();
  readonly #conversations = new ConversationTraces();

  /** Calls of this process share one trace. */
  begin(callId: string): void {
    this.#traceIds.set(callId, randomBytes(16).toString("hex"));
  }

  /** How many calls of a process are over. */
  countOf(callId: string): number {
    return this.#calls.get(callId)?.length ?? 0;
  }

  add(call: RecordedCall, { callId, parent }: CallOrigin): void {
    const own = callId === null ? undefined : this.#traceIds.get(callId);
    const key = own === undefined ? SHARED : (callId ?? SHARED);
    const unplaced: UnplacedCall = {
      spanId: randomBytes(8).toString("hex"),
      responseId: call.answer?.id ?? null,
      parent,
      traceId: own ?? this.#conversations.traceOf(SHARED, call).traceId,
      hasFailed: call.error !== null,
      startUnixMs: call.startUnixMs,
      endUnixMs: call.endUnixMs,
    };
    append(this.#calls, key, { call, unplaced });
  }

  /**
   * The calls so far as an OTLP/JSON request, each among the agent's own spans; null when there are none.
   * @param resource attributes of what the process sends
   */
  spansOf(
    callId: string,
    agentSpans: readonly AgentSpan[],
    resource: Readonly<Record<string, string>>,
  ): string | null {
    const kept = this.#calls.get(callId) ?? [];
    if (kept.length === 0) return null;
    const places = placeCalls(
      kept.map(({ unplaced }) => unplaced),
      agentSpans,
    );
    const spans = kept.flatMap(({ call, unplaced }) => {
      const place = places.get(unplaced);
      return place === undefined ? [] : [callSpan(call, place)];
    });
    return JSON.stringify(spansRequest(spans, resource));
  }
}
