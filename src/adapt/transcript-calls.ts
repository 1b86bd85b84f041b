import type { Message, RequestedCall } from "../model/message.ts";
import type { JsonObject, JsonValue } from "../model/json.ts";
import { isArray, isObject } from "../model/json.ts";
import { Call } from "./call.ts";
import { isMessage, readMessage } from "./messages/read-message.ts";
import { unfold } from "./messages/unfold.ts";
import { Nearest } from "./nearest.ts";
import type { Piece } from "./piece.ts";
import { responseModelIn } from "./read-model.ts";
import { findCounts, type TokenCounts } from "./read-usage.ts";

/**
 * A model call that has no span: a message in the transcript that an agent's span carries. Only with its usage beside it is
 * such a message known to be one call.
 */
export class TranscriptCall extends Call {
  readonly #before: readonly Message[];
  readonly #message: Message;
  readonly #source: JsonObject;
  readonly #at: number;
  /** The request of an outer transcript that this one answers: it was handed to a sub-agent. */
  readonly delegatedBy: RequestedCall | undefined;

  constructor(
    piece: Piece,
    before: readonly Message[],
    message: Message,
    source: JsonObject,
    at: number,
    delegatedBy: RequestedCall | undefined,
  ) {
    super(piece, []);
    this.delegatedBy = delegatedBy;
    this.#before = before;
    this.#message = message;
    this.#source = source;
    this.#at = at;
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

  override field(name: Parameters<Call["field"]>[0]): string | undefined {
    return name === "responseModel" ? responseModelIn(this.#source) : undefined;
  }
}

interface Transcript {
  readonly piece: Piece;
  readonly items: readonly JsonObject[];
  readonly messages: readonly Message[];
}

/**
 * Calls from the transcripts of a trace without call spans. Spans within each other often repeat one transcript: the inner
 * one's counts. A transcript inside another is a sub-agent's, and lies between the call that asked for it and the next.
 */
export function transcriptCalls(pieces: readonly Piece[]): Call[] {
  const transcripts = distinct(pieces.flatMap((piece) => transcriptOf(piece) ?? []));
  const innerOf = innerTranscripts(transcripts);
  const delegated = new Map<Piece, RequestedCall>();
  return transcripts
    .flatMap((one) => callsOf(one, innerOf.get(one.piece) ?? [], delegated))
    .sort((a, b) => a.start - b.start);
}

/** For each transcript the spans of those inside it, in order: as many as it has requests that they may answer. */
function innerTranscripts(transcripts: readonly Transcript[]): Map<Piece, Piece[]> {
  const innerOf = new Map<Piece, Piece[]>();
  const room = new Map(
    transcripts.map(({ piece, messages }) => [
      piece,
      messages.reduce((sum, { role, calls }) => sum + (role === "assistant" ? calls.length : 0), 0),
    ]),
  );
  const nearest = new Nearest((piece) => (room.has(piece) ? piece : undefined));
  /** For a transcript that is full: one around it that may not be. */
  const beyond = new Map<Piece, Piece | undefined>();
  const withRoom = (from: Piece | undefined): Piece | undefined => {
    const full: Piece[] = [];
    let at = nearest.of(from);
    while (at !== undefined && (room.get(at) ?? 0) === 0) {
      full.push(at);
      at = beyond.has(at) ? beyond.get(at) : nearest.of(at.parent);
    }
    for (const one of full) beyond.set(one, at);
    return at;
  };
  for (const { piece } of transcripts) {
    for (let at = withRoom(piece.parent); at !== undefined; at = withRoom(at.parent)) {
      room.set(at, (room.get(at) ?? 0) - 1);
      const inner = innerOf.get(at);
      if (inner === undefined) innerOf.set(at, [piece]);
      else inner.push(piece);
    }
  }
  return innerOf;
}

function transcriptOf(piece: Piece): Transcript | undefined {
  if (piece.role !== "agent" && piece.role !== "workflow" && piece.role !== "step") return undefined;
  for (const field of ["history", "output"] as const) {
    const value = piece.reading.has(field) ? piece.reading.json(field) : undefined;
    const items = value === undefined ? [] : longestList(unfold(value), 0);
    const messages = items.map((item) => readMessage(item, "assistant"));
    if (messages.some(({ role }) => role === "assistant") && messages.some(({ role }) => role === "user")) {
      return { piece, items, messages };
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
  { piece, items, messages }: Transcript,
  inner: readonly Piece[],
  delegated: Map<Piece, RequestedCall>,
): Call[] {
  const calls: Call[] = [];
  let at = piece.start;
  let answered = 0;
  const first = messages.findLastIndex(({ role }) => role === "user");
  for (const [index, message] of messages.entries()) {
    const source = items[index];
    if (message.role !== "assistant" || index < first || source === undefined) continue;
    calls.push(
      new TranscriptCall(piece, messages.slice(0, index), message, source, at, delegated.get(piece)),
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
