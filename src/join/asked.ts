import type { Call } from "../adapt/call.ts";
import { plainName } from "../adapt/messages/pick.ts";
import type { JsonValue } from "../model/json.ts";
import type { Message, RequestedCall, ReturnedResult } from "../model/message.ts";
import { canonical } from "./canonical.ts";

/** A tool call that a model asked for, with what came back. */
export interface Asked {
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
export function collectAsked(calls: readonly Call[]): Asked[] {
  const ledger = new Ledger();
  for (const [index, call] of calls.entries()) {
    const turn = index === 0 ? lastUserMessage(call.inputs) : -1;
    ledger.history(call.inputs, index - 1, turn);
    for (const request of call.requests) ledger.output(request, index);
    for (const message of call.outputs) for (const result of message.results) ledger.answer(result, []);
  }
  return ledger.asked.filter((one) => !one.earlier);
}

/** Where the current turn begins in a call's history. */
export function lastUserMessage(messages: readonly Message[]): number {
  return messages.findLastIndex(({ role, text }) => role === "user" && text !== null && text !== "");
}

class Ledger {
  readonly asked: Asked[] = [];
  readonly #byId = new Map<string, Asked>();
  readonly #signatures = new Map<RequestedCall, string>();
  readonly #bySignature = new Map<string, Asked[]>();

  /** Entries before message `turn` are of earlier turns. */
  history(messages: readonly Message[], call: number, turn: number): void {
    const seen = new Map<string, number>();
    const here: Asked[] = [];
    for (const [at, message] of messages.entries()) {
      for (const request of message.calls) here.push(this.#recall(request, call, at < turn, seen));
      for (const result of message.results) this.answer(result, here);
    }
  }

  output(request: RequestedCall, call: number): void {
    const known = request.id === null ? undefined : this.#byId.get(request.id);
    if (known === undefined) this.#add(request, call, false);
  }

  answer(result: ReturnedResult, here: readonly Asked[]): void {
    const known = result.callId === null ? undefined : this.#byId.get(result.callId);
    const asked = known ?? waitingFor(result, here);
    if (asked !== undefined && (asked.result === undefined || asked.result.content === undefined))
      asked.result = result;
  }

  #recall(request: RequestedCall, call: number, earlier: boolean, seen: Map<string, number>): Asked {
    const signature = this.#signatureOf(request);
    const nth = seen.get(signature) ?? 0;
    seen.set(signature, nth + 1);
    const byId = request.id === null ? undefined : this.#byId.get(request.id);
    const known = byId ?? this.#bySignature.get(signature)?.[nth];
    if (known === undefined) return this.#add(request, call, earlier);
    if (request.id !== null && byId === undefined) {
      known.ids.add(request.id);
      this.#byId.set(request.id, known);
    }
    known.arguments ??= request.arguments;
    return known;
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

  #add(request: RequestedCall, call: number, earlier: boolean): Asked {
    const asked: Asked = {
      ids: new Set(request.id === null ? [] : [request.id]),
      name: request.name,
      arguments: request.arguments,
      call,
      result: undefined,
      earlier,
    };
    this.asked.push(asked);
    if (request.id !== null) this.#byId.set(request.id, asked);
    const signature = this.#signatureOf(request);
    const list = this.#bySignature.get(signature);
    if (list === undefined) this.#bySignature.set(signature, [asked]);
    else list.push(asked);
    return asked;
  }
}

function waitingFor(result: ReturnedResult, here: readonly Asked[]): Asked | undefined {
  const open = here.filter((one) => one.result === undefined);
  return open.find((one) => sameTool(one.name, result.name)) ?? open[0];
}

function sameTool(a: string | null, b: string | null): boolean {
  return a !== null && b !== null && plainName(a) === plainName(b);
}
