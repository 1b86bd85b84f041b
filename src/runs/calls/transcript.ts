import { isArray, isObject, type JsonObject, type JsonValue } from "../../model/json.ts";
import type { RequestedCall } from "../../model/message.ts";
import { F } from "../facts/fields.ts";
import type { SpanFacts } from "../facts/span-facts.ts";
import { isMessage, type ReadMessage, readMessages } from "../notations/message.ts";
import { unfold } from "../notations/parse-text.ts";
import { findCounts, TokenCounts } from "../notations/usage.ts";
import { responseModelIn } from "./kept-response.ts";
import { LlmCall } from "./llm-call.ts";
import { fill } from "./tokens.ts";
import { above } from "./tree.ts";

interface Transcript {
  readonly node: SpanFacts;
  readonly items: readonly JsonObject[];
  readonly messages: readonly ReadMessage[];
}

/**
 * Returns calls that have no spans, from the transcripts of agent, workflow and step spans. Each model message after the user's last
 * message is a call. If nested spans have the same transcript, only that of the inner span is read. A different nested transcript is a
 * sub-agent's: its calls come after the call that requested the sub-agent, and before the next call.
 */
export function transcriptCalls(nodes: readonly SpanFacts[]): LlmCall[] {
  const byContent = new Map<string, Transcript>();
  for (const node of nodes) {
    const transcript = transcriptOf(node);
    if (transcript !== null) byContent.set(JSON.stringify(transcript.messages), transcript);
  }
  const transcripts = [...byContent.values()];
  if (transcripts.length === 0) return [];
  const innerOf = innerTranscripts(transcripts);
  const delegated = new Map<SpanFacts, RequestedCall>();
  return transcripts
    .flatMap((one) => callsOf(one, innerOf.get(one.node) ?? [], delegated))
    .sort((a, b) => a.start - b.start);
}

function transcriptOf(node: SpanFacts): Transcript | null {
  if (node.role !== "agent" && node.role !== "workflow" && node.role !== "step") return null;
  for (const field of [F.history, F.output]) {
    const value = node.hasField(field) ? node.valueAt(field) : undefined;
    const items = value === undefined ? [] : longestList(unfold(value), 0);
    const messages = items.flatMap((item) => readMessages(item, "assistant").slice(0, 1));
    if (messages.length !== items.length) continue;
    if (messages.some(({ role }) => role === "assistant") && messages.some(({ role }) => role === "user"))
      return { node, items, messages };
  }
  return null;
}

const MOST_DEPTH = 6;

function longestList(value: JsonValue, depth: number): readonly JsonObject[] {
  if (depth > MOST_DEPTH) return [];
  if (isArray(value)) {
    const items = value.map((item) => unfold(item)).filter((item) => isObject(item) && isMessage(item));
    if (items.length > 0) return items as JsonObject[];
  }
  const inner = isArray(value) ? value : isObject(value) ? Object.values(value) : [];
  let longest: readonly JsonObject[] = [];
  for (const one of inner) {
    if (typeof one !== "object" && typeof one !== "string") continue;
    const list = longestList(unfold(one), depth + 1);
    if (list.length > longest.length) longest = list;
  }
  return longest;
}

/**
 * Returns the spans with nested transcripts for each transcript, in order. A nested transcript answers one tool request, so there are at
 * most as many spans as tool requests in the outer transcript.
 */
function innerTranscripts(transcripts: readonly Transcript[]): Map<SpanFacts, SpanFacts[]> {
  const innerOf = new Map<SpanFacts, SpanFacts[]>();
  const room = new Map<SpanFacts, number>();
  for (const { node, messages } of transcripts)
    room.set(
      node,
      messages.reduce((sum, { role, calls }) => sum + (role === "assistant" ? calls.length : 0), 0),
    );
  for (const { node } of transcripts) {
    const outer = above(node, (at) => (room.get(at) ?? 0) > 0);
    if (outer === null) continue;
    room.set(outer, (room.get(outer) ?? 0) - 1);
    const inner = innerOf.get(outer);
    if (inner === undefined) innerOf.set(outer, [node]);
    else inner.push(node);
  }
  return innerOf;
}

function callsOf(
  { node, items, messages }: Transcript,
  inner: readonly SpanFacts[],
  delegated: Map<SpanFacts, RequestedCall>,
): LlmCall[] {
  const calls: LlmCall[] = [];
  let at = node.start;
  let answered = 0;
  const first = messages.findLastIndex(({ role }) => role === "user");
  for (const [index, message] of messages.entries()) {
    const source = items[index];
    if (message.role !== "assistant" || index < first || source === undefined) continue;
    calls.push(
      new TranscriptCall(node, messages.slice(0, index), message, source, at, delegated.get(node) ?? null),
    );
    for (const request of message.calls) {
      const next = inner[answered++];
      if (next === undefined) break;
      delegated.set(next, request);
      at = Math.max(at, next.end);
    }
  }
  return calls;
}

/** A call that is known only from a message. If one such message has no usage, the number of the run's calls is unknown (`callCount`). */
export class TranscriptCall extends LlmCall {
  readonly #model: string | null;

  constructor(
    node: SpanFacts,
    before: readonly ReadMessage[],
    message: ReadMessage,
    source: JsonObject,
    at: number,
    delegatedBy: RequestedCall | null,
  ) {
    super(node, [], null);
    this.isTimed = false;
    this.start = at;
    this.inputs = before;
    this.outputs = [message];
    this.settle();
    this.finish = message.calls.length > 0 ? "tool_call" : "stop";
    this.failure = null;
    this.responseId = null;
    this.delegatedBy = delegatedBy;
    this.counts = new TokenCounts();
    const counts = findCounts(source);
    if (counts !== undefined) fill(this.counts, counts);
    this.#model = responseModelIn(source);
  }

  override field(name: Parameters<LlmCall["field"]>[0]): string | null {
    return name === "responseModel" ? this.#model : null;
  }
}
