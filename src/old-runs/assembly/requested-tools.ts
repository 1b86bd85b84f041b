import type { LlmCall } from "../fragments/llm-call.ts";
import { plainName } from "../messages/pick.ts";
import type { JsonValue } from "../../model/json.ts";
import type { Message, RequestedCall, ReturnedResult } from "../../model/message.ts";
import { isReturn } from "./handoff-target.ts";
import { canonicalArguments } from "../text/canonical-arguments.ts";

/** A tool call that a model asked for, with what came back. */
export interface RequestedToolCall {
  /** The spellings of its id: some protocols give a call two. */
  readonly ids: string[];
  readonly name: string | null;
  arguments: JsonValue | undefined;
  /** The model call that asked for it; -1 where the data begin later. */
  readonly call: number;
  result: ReturnedResult | undefined;
  /** The first model call whose history has the result. */
  usedBy?: number;
  /** Belongs to an earlier turn of the conversation, not to this run. */
  readonly earlier: boolean;
}

/**
 * The tool calls in the messages of a run's model calls, in the order asked. Each call's history repeats those before it: an
 * entry there is new only if neither its id nor its n-th occurrence is known.
 */
export function collectRequests(calls: readonly LlmCall[]): Requests {
  const ledger = new RequestHistory();
  const begin = lastUserMessage(calls[0]?.inputs ?? []);
  const query = calls[0]?.inputs[begin]?.text;
  let isCallLost = false;
  let silent = 0;
  for (const [index, call] of calls.entries()) {
    const before = call.node.reading.histories.continuedBy(call.inputs);
    const turn = index === 0 ? begin : before === undefined ? lastWords(call.inputs, query) : -1;
    const unseen = ledger.history(call.inputs, index - 1, turn, before);
    if (unseen > silent) isCallLost = true;
    silent = Math.max(0, silent - unseen) + (mayHaveAsked(call) ? 1 : 0);
    for (const request of call.requests) ledger.output(request, index);
    for (const message of call.outputs) for (const result of message.results) ledger.answer(result);
  }
  const { asked } = ledger;
  return { asked: asked.some(isEarlier) ? asked.filter((one) => !one.earlier) : asked, isCallLost };
}

function isEarlier({ earlier }: RequestedToolCall): boolean {
  return earlier;
}

/** What the model calls of a run asked for. */
export interface Requests {
  /** In the order asked. */
  readonly asked: readonly RequestedToolCall[];
  /** A history shows a turn that no model call in the data can have been. */
  readonly isCallLost: boolean;
}

/** Its span leaves out what it returned, or the tools that it asked for. */
function mayHaveAsked(call: LlmCall): boolean {
  return call.requests.length === 0 && (call.finish !== "stop" || call.text === undefined);
}

/** Where the current turn begins in a call's history. */
function lastUserMessage(messages: readonly Message[]): number {
  return messages.findLastIndex(({ role, text }) => role === "user" && text !== null && text !== "");
}

/** Where the user's words stand in a later call's history; a router before it may not have seen the earlier turns. */
function lastWords(messages: readonly Message[], words: string | null | undefined): number {
  return typeof words === "string"
    ? messages.findLastIndex(({ role, text }) => role === "user" && text === words)
    : -1;
}

/** What a history holds of requests and results. */
interface Exchange {
  readonly seen: Occurrences;
  readonly here: Waiting;
}

class RequestHistory {
  readonly asked: RequestedToolCall[] = [];
  /** What each of `asked` was made of. */
  readonly #requests: RequestedCall[] = [];
  readonly #byId = new Map<string, RequestedToolCall>();
  #signatures: Map<RequestedCall, string> | undefined;
  #bySignature: Map<string, RequestedToolCall[]> | undefined;
  /** The last history read. */
  #last: { messages: readonly Message[]; exchange: Exchange | undefined } | undefined;
  /** So many of `asked` are in `#bySignature`. Calls with ids are never looked for there. */
  #indexed = 0;

  /**
   * Entries before message `turn` are of earlier turns.
   * @returns how many of the model's turns are there of which nothing was known, earlier ones aside
   * @param before the list that `messages` begins with: if it was the last one given here, only what follows it is read
   */
  history(messages: readonly Message[], call: number, turn: number, before?: readonly Message[]): number {
    const last = before !== undefined && before === this.#last?.messages ? this.#last : undefined;
    let exchange = last?.exchange;
    let turns: Turns | undefined;
    for (let at = last?.messages.length ?? 0; at < messages.length; at++) {
      const { calls, results } = messages[at] as Message;
      if (calls.length + results.length === 0) continue;
      exchange ??= { seen: new Occurrences((request) => this.#signatureOf(request)), here: new Waiting() };
      turns ??= new Turns();
      for (const request of calls) {
        const known = this.asked.length;
        exchange.here.add(this.#recall(request, call, at < turn, exchange.seen));
        if (!isReturn(request.name)) turns.add(this.asked.length > known && at >= turn);
      }
      if (results.length > 0) turns.end(calls.length > 0);
      for (const result of results) this.answer(result, exchange.here, call + 1);
    }
    this.#last = { messages, exchange };
    return turns?.unseen ?? 0;
  }

  output(request: RequestedCall, call: number): void {
    const known = request.id === null ? undefined : this.#byId.get(request.id);
    if (known === undefined) this.#add(request, call, false);
  }

  answer(result: ReturnedResult, here?: Waiting, usedBy?: number): void {
    const known = result.callId === null ? undefined : this.#byId.get(result.callId);
    const asked = known ?? here?.first(result.name);
    if (asked === undefined) return;
    if (asked.result === undefined || asked.result.content === undefined) asked.result = result;
    if (usedBy !== undefined) asked.usedBy ??= usedBy;
  }

  #recall(request: RequestedCall, call: number, earlier: boolean, seen: Occurrences): RequestedToolCall {
    const byId = request.id === null ? undefined : this.#byId.get(request.id);
    if (byId !== undefined) {
      seen.add(request);
      byId.arguments ??= request.arguments;
      return byId;
    }
    const nth = seen.count(request);
    seen.add(request);
    const known = this.#withSignature(this.#signatureOf(request))?.[nth];
    if (known === undefined) return this.#add(request, call, earlier);
    if (request.id !== null) {
      if (!known.ids.includes(request.id)) known.ids.push(request.id);
      this.#byId.set(request.id, known);
    }
    known.arguments ??= request.arguments;
    return known;
  }

  #withSignature(signature: string): readonly RequestedToolCall[] | undefined {
    const bySignature = (this.#bySignature ??= new Map<string, RequestedToolCall[]>());
    for (; this.#indexed < this.asked.length; this.#indexed++) {
      const [asked, request] = [this.asked[this.#indexed], this.#requests[this.#indexed]];
      if (asked === undefined || request === undefined) continue;
      const own = this.#signatureOf(request);
      const list = bySignature.get(own);
      if (list === undefined) bySignature.set(own, [asked]);
      else list.push(asked);
    }
    return bySignature.get(signature);
  }

  /** The history of each call holds the requests of those before: mostly the same objects. */
  #signatureOf(request: RequestedCall): string {
    const signatures = (this.#signatures ??= new Map<RequestedCall, string>());
    let signature = signatures.get(request);
    if (signature === undefined) {
      signature = `${plainName(request.name ?? "")} ${canonicalArguments(request.arguments)}`;
      signatures.set(request, signature);
    }
    return signature;
  }

  #add(request: RequestedCall, call: number, earlier: boolean): RequestedToolCall {
    const asked: RequestedToolCall = {
      ids: request.id === null ? [] : [request.id],
      name: request.name,
      arguments: request.arguments,
      call,
      result: undefined,
      earlier,
    };
    this.asked.push(asked);
    this.#requests.push(request);
    if (request.id !== null) this.#byId.set(request.id, asked);
    return asked;
  }
}

/**
 * The model's turns in a history: requests without a result between them are of one turn. The last one, without any result, may be what the
 * call itself returned: some producers put both into one list.
 */
class Turns {
  unseen = 0;
  #requests = 0;
  #new = 0;

  add(isNew: boolean): void {
    this.#requests += 1;
    if (isNew) this.#new += 1;
  }

  /** @param isJoined the results came in one list with the requests: several turns may be in it */
  end(isJoined: boolean): void {
    if (this.#new > 0 && (isJoined || this.#new === this.#requests)) this.unseen += 1;
    this.#requests = 0;
    this.#new = 0;
  }
}

/** How often each signature occurred in a history so far. Counted, and signatures made, on first read. */
class Occurrences {
  readonly #signatureOf: (request: RequestedCall) => string;
  readonly #uncounted: RequestedCall[] = [];
  #counts: Map<string, number> | undefined;

  constructor(signatureOf: (request: RequestedCall) => string) {
    this.#signatureOf = signatureOf;
  }

  add(request: RequestedCall): void {
    this.#uncounted.push(request);
  }

  count(request: RequestedCall): number {
    const counts = (this.#counts ??= new Map<string, number>());
    for (const one of this.#uncounted) {
      const signature = this.#signatureOf(one);
      counts.set(signature, (counts.get(signature) ?? 0) + 1);
    }
    this.#uncounted.length = 0;
    return counts.get(this.#signatureOf(request)) ?? 0;
  }
}

/** Requests of a history that may still wait for their results. Sorted on first read. */
class Waiting {
  readonly #all = new Queue();
  #named = 0;
  #byName: Map<string, Queue> | undefined;

  add(asked: RequestedToolCall): void {
    this.#all.list.push(asked);
  }

  /** The first that waits for a tool of this name, else the first that waits. */
  first(name: string | null): RequestedToolCall | undefined {
    return (name === null ? undefined : this.#queueOf(plainName(name))?.first()) ?? this.#all.first();
  }

  #queueOf(name: string): Queue | undefined {
    const { list } = this.#all;
    const byName = (this.#byName ??= new Map<string, Queue>());
    for (; this.#named < list.length; this.#named++) {
      const asked = list[this.#named];
      if (asked === undefined || asked.name === null) continue;
      const own = plainName(asked.name);
      let queue = byName.get(own);
      if (queue === undefined) byName.set(own, (queue = new Queue()));
      queue.list.push(asked);
    }
    return byName.get(name);
  }
}

class Queue {
  readonly list: RequestedToolCall[] = [];
  #next = 0;

  /** Without a result; what has one has it for good. */
  first(): RequestedToolCall | undefined {
    while (this.#next < this.list.length && this.list[this.#next]?.result !== undefined) this.#next++;
    return this.list[this.#next];
  }
}
