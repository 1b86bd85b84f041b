import type { LlmCall } from "../fragments/llm-call.ts";
import { plainName } from "../messages/pick.ts";
import type { JsonValue } from "../../model/json.ts";
import type { Message, RequestedCall, ReturnedResult } from "../../model/message.ts";
import { canonical } from "../index/canonical.ts";

/** A tool call that a model asked for, with what came back. */
export interface RequestedToolCall {
  /** The spellings of its id: some protocols give a call two. */
  readonly ids: Set<string>;
  readonly name: string | null;
  arguments: JsonValue | undefined;
  /** The model call that asked for it; -1 where the data begin later. */
  readonly call: number;
  result: ReturnedResult | undefined;
  /** Belongs to an earlier turn of the conversation, not to this run. */
  readonly earlier: boolean;
}

/**
 * The tool calls in the messages of a run's model calls, in the order asked. Each call's history repeats those before it: an
 * entry there is new only if neither its id nor its n-th occurrence is known.
 */
export function collectRequests(calls: readonly LlmCall[]): RequestedToolCall[] {
  const ledger = new Ledger();
  for (const [index, call] of calls.entries()) {
    const turn = index === 0 ? lastUserMessage(call.inputs) : -1;
    const before = call.node.reading.histories.continuedBy(call.inputs);
    ledger.history(call.inputs, index - 1, turn, before);
    for (const request of call.requests) ledger.output(request, index);
    for (const message of call.outputs) for (const result of message.results) ledger.answer(result);
  }
  return ledger.asked.filter((one) => !one.earlier);
}

/** Where the current turn begins in a call's history. */
function lastUserMessage(messages: readonly Message[]): number {
  return messages.findLastIndex(({ role, text }) => role === "user" && text !== null && text !== "");
}

class Ledger {
  readonly asked: RequestedToolCall[] = [];
  /** What each of `asked` was made of. */
  readonly #requests: RequestedCall[] = [];
  readonly #byId = new Map<string, RequestedToolCall>();
  readonly #signatures = new Map<RequestedCall, string>();
  readonly #bySignature = new Map<string, RequestedToolCall[]>();
  /** The last history read. */
  #last: { messages: readonly Message[]; seen: Occurrences; here: Waiting } | undefined;
  /** So many of `asked` are in `#bySignature`. Calls with ids are never looked for there. */
  #indexed = 0;

  /**
   * Entries before message `turn` are of earlier turns.
   * @param before the list that `messages` begins with: if it was the last one given here, only what follows it is read
   */
  history(messages: readonly Message[], call: number, turn: number, before?: readonly Message[]): void {
    const last = before !== undefined && before === this.#last?.messages ? this.#last : undefined;
    const seen = last?.seen ?? new Occurrences((request) => this.#signatureOf(request));
    const here = last?.here ?? new Waiting();
    for (let at = last?.messages.length ?? 0; at < messages.length; at++) {
      const message = messages[at];
      if (message === undefined) continue;
      for (const request of message.calls) here.add(this.#recall(request, call, at < turn, seen));
      for (const result of message.results) this.answer(result, here);
    }
    this.#last = { messages, seen, here };
  }

  output(request: RequestedCall, call: number): void {
    const known = request.id === null ? undefined : this.#byId.get(request.id);
    if (known === undefined) this.#add(request, call, false);
  }

  answer(result: ReturnedResult, here?: Waiting): void {
    const known = result.callId === null ? undefined : this.#byId.get(result.callId);
    const asked = known ?? here?.first(result.name);
    if (asked !== undefined && (asked.result === undefined || asked.result.content === undefined))
      asked.result = result;
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
      known.ids.add(request.id);
      this.#byId.set(request.id, known);
    }
    known.arguments ??= request.arguments;
    return known;
  }

  #withSignature(signature: string): readonly RequestedToolCall[] | undefined {
    for (; this.#indexed < this.asked.length; this.#indexed++) {
      const [asked, request] = [this.asked[this.#indexed], this.#requests[this.#indexed]];
      if (asked === undefined || request === undefined) continue;
      const own = this.#signatureOf(request);
      const list = this.#bySignature.get(own);
      if (list === undefined) this.#bySignature.set(own, [asked]);
      else list.push(asked);
    }
    return this.#bySignature.get(signature);
  }

  /** The history of each call holds the requests of those before: mostly the same objects. */
  #signatureOf(request: RequestedCall): string {
    let signature = this.#signatures.get(request);
    if (signature === undefined) {
      signature = `${plainName(request.name ?? "")} ${canonical(request.arguments)}`;
      this.#signatures.set(request, signature);
    }
    return signature;
  }

  #add(request: RequestedCall, call: number, earlier: boolean): RequestedToolCall {
    const asked: RequestedToolCall = {
      ids: new Set(request.id === null ? [] : [request.id]),
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

/** How often each signature occurred in a history so far. Nothing is counted, and no signature made, before somebody asks. */
class Occurrences {
  readonly #signatureOf: (request: RequestedCall) => string;
  readonly #uncounted: RequestedCall[] = [];
  readonly #counts = new Map<string, number>();

  constructor(signatureOf: (request: RequestedCall) => string) {
    this.#signatureOf = signatureOf;
  }

  add(request: RequestedCall): void {
    this.#uncounted.push(request);
  }

  count(request: RequestedCall): number {
    for (const one of this.#uncounted) {
      const signature = this.#signatureOf(one);
      this.#counts.set(signature, (this.#counts.get(signature) ?? 0) + 1);
    }
    this.#uncounted.length = 0;
    return this.#counts.get(this.#signatureOf(request)) ?? 0;
  }
}

/** Requests of a history that may still wait for their results. Nothing is put in order before somebody asks. */
class Waiting {
  readonly #all = new Queue();
  #named = 0;
  readonly #byName = new Map<string, Queue>();

  add(asked: RequestedToolCall): void {
    this.#all.list.push(asked);
  }

  /** The first that waits for a tool of this name, else the first that waits. */
  first(name: string | null): RequestedToolCall | undefined {
    return (name === null ? undefined : this.#queueOf(plainName(name))?.first()) ?? this.#all.first();
  }

  #queueOf(name: string): Queue | undefined {
    const { list } = this.#all;
    for (; this.#named < list.length; this.#named++) {
      const asked = list[this.#named];
      if (asked === undefined || asked.name === null) continue;
      const own = plainName(asked.name);
      let queue = this.#byName.get(own);
      if (queue === undefined) this.#byName.set(own, (queue = new Queue()));
      queue.list.push(asked);
    }
    return this.#byName.get(name);
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
