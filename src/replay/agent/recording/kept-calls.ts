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

/**
 * Maximum JSON of all kept calls together, in characters. The calls stay in memory until their process ends,
 * and are written as one string.
 */
const MOST_CHARACTERS = 256 * 2 ** 20;

/** Call id for agents whose base URL has no segment. */
const SHARED = "";

/** Model calls of agent processes, to be added to the spans that the agents sent. */
export class KeptCalls {
  readonly #calls = new Map<string, KeptCall[]>();
  readonly #traceIds = new Map<string, string>();
  readonly #conversations = new ConversationTraces();
  readonly #mostCharacters: number;
  #characters = 0;
  #withoutContents = 0;

  /**
   * @param mostCharacters maximum JSON of all kept calls together; further calls are kept without their
   * messages
   */
  constructor(mostCharacters = MOST_CHARACTERS) {
    this.#mostCharacters = mostCharacters;
  }

  /** Number of calls whose messages were too long to keep. */
  get withoutContents(): number {
    return this.#withoutContents;
  }

  /** Registers a process; its model calls share one new trace. */
  begin(callId: string): void {
    this.#traceIds.set(callId, randomBytes(16).toString("hex"));
  }

  /** Returns the number of completed calls of a process. */
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
    append(this.#calls, key, { call: this.#bounded(call), unplaced });
  }

  #bounded(call: RecordedCall): RecordedCall {
    const characters = JSON.stringify(callSpan(call, { traceId: "", spanId: "", parentSpanId: null })).length;
    if (this.#characters + characters <= this.#mostCharacters) {
      this.#characters += characters;
      return call;
    }
    this.#withoutContents++;
    const { request, answer } = call;
    return {
      ...call,
      hasContents: false,
      request: request && { ...request, system: null, messages: null, tools: null },
      answer: answer && { ...answer, text: null, reasoning: null, refusal: null, calls: [] },
    };
  }

  /**
   * Returns the completed calls as an OTLP/JSON request, placed among the agent's own spans; null if there
   * are none.
   * @param resource resource attributes of the process
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
