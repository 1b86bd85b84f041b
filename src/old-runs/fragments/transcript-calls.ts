import type { Message, RequestedCall } from "../../model/message.ts";
import type { JsonObject, JsonValue } from "../../model/json.ts";
import { isArray, isObject } from "../../model/json.ts";
import { LlmCall } from "./llm-call.ts";
import { isMessage, readMessage } from "../messages/read-message.ts";
import { unfold } from "../messages/unfold.ts";
import { Nearest } from "../span/nearest.ts";
import type { SpanNode } from "../span/span-node.ts";
import { responseModelIn } from "../span/read-model.ts";
import { findCounts, type TokenCounts } from "../span/read-usage.ts";

/**
 * A model call that has no span: a message in the transcript that an agent's span carries. Only with its usage beside it is
 * such a message known to be one call.
 */
export class TranscriptCall extends LlmCall {
  readonly #before: readonly Message[];
  readonly #message: Message;
  readonly #source: JsonObject;
  readonly #at: number;
  /** The request of an outer transcript that this one answers: it was handed to a sub-agent. */
  readonly delegatedBy: RequestedCall | undefined;

  constructor(
    node: SpanNode,
    before: readonly Message[],
    message: Message,
    source: JsonObject,
    at: number,
    delegatedBy: RequestedCall | undefined,
  ) {
    super(node, []);
    this.delegatedBy = delegatedBy;
    this.#before = before;
    this.#message = message;
    this.#source = source;
    this.#at = at;
  }

  override get isTimed(): boolean {
    return false;
  }

  override get start(): number {
    return this.#at;
  }

  override get end(): number {
    return this.#at;
  }

  override get inputs(): readonly Message[] {
    return this.#before;
  }

  override get ownOutputs(): readonly Message[] {
    return [this.#message];
  }

  override get outputs(): readonly Message[] {
    return this.ownOutputs;
  }

  override get counts(): TokenCounts {
    return findCounts(this.#source) ?? {};
  }

  override get finish(): string | null {
    return this.#message.calls.length > 0 ? "tool_call" : "stop";
  }

  override get failure(): string | null {
    return null;
  }

  override field(name: Parameters<LlmCall["field"]>[0]): string | undefined {
    return name === "responseModel" ? responseModelIn(this.#source) : undefined;
  }
}

interface Transcript {
  readonly node: SpanNode;
  readonly items: readonly JsonObject[];
  readonly messages: readonly Message[];
}

/**
 * Calls from the transcripts of a trace without call spans. Spans within each other often repeat one transcript: the inner
 * one's counts. A transcript inside another is a sub-agent's, and lies between the call that asked for it and the next.
 */
export function transcriptCalls(nodes: readonly SpanNode[]): LlmCall[] {
  const transcripts = distinct(nodes.flatMap((node) => transcriptOf(node) ?? []));
  const innerOf = innerTranscripts(transcripts);
  const delegated = new Map<SpanNode, RequestedCall>();
  return transcripts
    .flatMap((one) => callsOf(one, innerOf.get(one.node) ?? [], delegated))
    .sort((a, b) => a.start - b.start);
}

/** For each transcript the spans of those inside it, in order: as many as it has requests that they may answer. */
function innerTranscripts(transcripts: readonly Transcript[]): Map<SpanNode, SpanNode[]> {
  const innerOf = new Map<SpanNode, SpanNode[]>();
  const room = new Map(
    transcripts.map(({ node, messages }) => [
      node,
      messages.reduce((sum, { role, calls }) => sum + (role === "assistant" ? calls.length : 0), 0),
    ]),
  );
  const nearest = new Nearest((node) => (room.has(node) ? node : undefined));
  /** For a transcript that is full: one around it that may not be. */
  const beyond = new Map<SpanNode, SpanNode | undefined>();
  const withRoom = (from: SpanNode | undefined): SpanNode | undefined => {
    const full: SpanNode[] = [];
    let at = nearest.of(from);
    while (at !== undefined && (room.get(at) ?? 0) === 0) {
      full.push(at);
      at = beyond.has(at) ? beyond.get(at) : nearest.of(at.parent);
    }
    for (const one of full) beyond.set(one, at);
    return at;
  };
  for (const { node } of transcripts) {
    for (let at = withRoom(node.parent); at !== undefined; at = withRoom(at.parent)) {
      room.set(at, (room.get(at) ?? 0) - 1);
      const inner = innerOf.get(at);
      if (inner === undefined) innerOf.set(at, [node]);
      else inner.push(node);
    }
  }
  return innerOf;
}

function transcriptOf(node: SpanNode): Transcript | undefined {
  if (node.role !== "agent" && node.role !== "workflow" && node.role !== "step") return undefined;
  for (const field of ["history", "output"] as const) {
    const value = node.reading.has(field) ? node.reading.json(field) : undefined;
    const items = value === undefined ? [] : longestList(unfold(value), 0);
    const messages = items.map((item) => readMessage(item, "assistant"));
    if (messages.some(({ role }) => role === "assistant") && messages.some(({ role }) => role === "user")) {
      return { node, items, messages };
    }
  }
  return undefined;
}

function longestList(value: JsonValue, depth: number): readonly JsonObject[] {
  if (depth > 6) return [];
  if (isArray(value)) {
    const items = value.map((item) => unfold(item)).filter(isMessage);
    if (items.length > 0) return items;
  }
  const inner = isArray(value) ? value : isObject(value) ? Object.values(value) : [];
  let longest: readonly JsonObject[] = [];
  for (const one of inner) {
    const list =
      typeof one === "object" || typeof one === "string" ? longestList(unfold(one), depth + 1) : [];
    if (list.length > longest.length) longest = list;
  }
  return longest;
}

function distinct(transcripts: readonly Transcript[]): Transcript[] {
  const byContent = new Map<string, Transcript>();
  for (const one of transcripts) byContent.set(JSON.stringify(one.messages), one);
  return [...byContent.values()];
}

function callsOf(
  { node, items, messages }: Transcript,
  inner: readonly SpanNode[],
  delegated: Map<SpanNode, RequestedCall>,
): LlmCall[] {
  const calls: LlmCall[] = [];
  let at = node.start;
  let answered = 0;
  const first = messages.findLastIndex(({ role }) => role === "user");
  for (const [index, message] of messages.entries()) {
    const source = items[index];
    if (message.role !== "assistant" || index < first || source === undefined) continue;
    calls.push(new TranscriptCall(node, messages.slice(0, index), message, source, at, delegated.get(node)));
    for (const request of message.calls) {
      const next = inner[answered++];
      if (next === undefined) break;
      delegated.set(next, request);
      at = Math.max(at, next.end);
    }
  }
  return calls;
}
