import type { LlmCall } from "../calls/llm-call.ts";
import type { JsonValue } from "../../model/json.ts";
import type { RequestedCall, ReturnedResult } from "../../model/message.ts";
import { argumentsOf, signatureOf } from "../notations/arguments.ts";
import type { ReadMessage } from "../notations/message.ts";
import { plainName } from "../notations/names.ts";
import { beginsAlike } from "../notations/parse-text.ts";
import { outcomeOf } from "../notations/result.ts";
import { isReturn } from "../who/handoff-target.ts";
import { derivedOnce } from "../../support/structures/bounded-memo.ts";
import { sameTool, ToolUse } from "./tool-use.ts";

export interface Requests {
  /** Tool uses in the order of requests. */
  readonly uses: ToolUse[];
  /** Whether a history shows a model turn for which the data have no model call. */
  readonly isCallLost: boolean;
  /** The results in the last history that has results without call ids and no requests; null if there is none. */
  readonly unnamed: UnnamedResults | null;
}

export interface UnnamedResults {
  readonly results: readonly ReturnedResult[];
  /** Start of the call whose history has the results. */
  readonly start: number;
}

/**
 * Returns the tool requests in the messages of a run's model calls, in order. Each history repeats the earlier requests. A request is known
 * if its id is known, or if an equal request (name and arguments) is known as often as it occurs. `calls`: by start.
 */
export function collectRequests(calls: readonly LlmCall[]): Requests {
  const history = new RequestHistory();
  const firstInputs = calls[0]?.inputs ?? [];
  const begin = beginOfTurn(firstInputs);
  const query = firstInputs[begin]?.text ?? null;
  let isCallLost = false;
  let silent = 0;
  for (const [index, call] of calls.entries()) {
    const turn = index === 0 ? begin : query === null ? -1 : lastWords(call.inputs, query);
    const unseen = history.read(call.inputs, index - 1, turn, call.start);
    if (unseen > silent + Math.max(call.turns.length, call.completions - 1)) isCallLost = true;
    silent = Math.max(0, silent - unseen) + (mayHaveAsked(call) ? 1 : 0);
    for (const request of call.requests) history.request(request, index, call);
    for (const message of call.outputs) for (const result of message.results) history.answer(result, null);
  }
  return { uses: history.uses.filter(({ isEarlier }) => !isEarlier), isCallLost, unnamed: history.unnamed };
}

/**
 * Position of the user's last message with text; -1 if there is none. If no message has text because content capture is off, position of
 * the user's last message without results.
 */
function beginOfTurn(messages: readonly ReadMessage[]): number {
  const last = messages.findLastIndex((message) => message.role === "user" && hasWords(message));
  if (last >= 0 || messages.some(hasWords)) return last;
  return messages.findLastIndex(({ role, results }) => role === "user" && results.length === 0);
}

function hasWords({ text }: ReadMessage): boolean {
  return text !== null && text !== "";
}

/**
 * Whether a call without recorded requests may have requested tools. Either its text is not recorded, or its finish reason does not show
 * that the model stopped.
 */
function mayHaveAsked(call: LlmCall): boolean {
  return call.requests.length === 0 && (call.finish !== "stop" || call.text === null);
}

/**
 * Position of the user's message in a later call's history; -1 if absent. The position may be smaller than in the first call, because an
 * agent that only routes may not have received the earlier turns.
 */
function lastWords(messages: readonly ReadMessage[], question: string): number {
  for (let at = messages.length - 1; at >= 0; at--) {
    const { role, text } = messages[at] as ReadMessage;
    if (role === "user" && text === question) return at;
  }
  return -1;
}

const noAnswers: ReadonlyMap<ReturnedResult, ToolUse> = new Map();

/** Maximum number of requests with one id that are compared with a request whose copy may be truncated. Senders control their number. */
const MOST_COMPARED = 20;

class RequestHistory {
  readonly uses: ToolUse[] = [];
  unnamed: UnnamedResults | null = null;
  readonly #byId = new Map<string, ToolUse>();
  /** All requests of each id that several requests have. */
  readonly #sameId = new Map<string, ToolUse[]>();
  /** The requests of `#sameId` by id, tool and arguments. */
  readonly #sameRequest = new Map<string, ToolUse>();
  /** Messages that were already read. Histories share repeated messages, so each is read once. */
  readonly #read = new Set<ReadMessage>();

  /**
   * Reads the requests and results of one history. Messages before position `turn` belong to earlier turns of the conversation.
   * @returns number of model turns, after position `turn`, whose requests come from no known call
   */
  read(messages: readonly ReadMessage[], call: number, turn: number, start: number): number {
    let unseen = 0;
    let asked = 0;
    let fresh = 0;
    /** Requests of this history that have no result yet. */
    const waiting: ToolUse[] = [];
    const inOrder = this.#answeredInOrder(messages, turn, start);
    for (let at = 0; at < messages.length; at++) {
      const message = messages[at] as ReadMessage;
      const { calls, results } = message;
      if (calls.length + results.length === 0) continue;
      if (this.#read.has(message)) continue;
      this.#read.add(message);
      for (const request of calls) {
        const known = this.uses.length;
        const use = this.#recall(request, messages, at, call, at < turn, start);
        waiting.push(use);
        if (isReturn(request.name)) continue;
        asked++;
        if (this.uses.length > known && at >= turn) fresh++;
      }
      if (results.length > 0) {
        // Requests with no result between them are one model turn. If a message has results and requests, it may combine several turns.
        if (fresh > 0 && (calls.length > 0 || fresh === asked)) unseen++;
        asked = 0;
        fresh = 0;
      }
      for (const result of results) {
        const use = inOrder.get(result) ?? takeWaiting(waiting, result.callId, result.name);
        this.answer(result, call + 1, use ?? this.#unrequested(result, call, at < turn, start));
      }
    }
    return unseen;
  }

  /** Assigns results without call ids, in a history without requests, to the previous requests in order, if both have the same number. */
  #answeredInOrder(
    messages: readonly ReadMessage[],
    turn: number,
    start: number,
  ): ReadonlyMap<ReturnedResult, ToolUse> {
    const results: ReturnedResult[] = [];
    for (let at = turn + 1; at < messages.length; at++) {
      const message = messages[at] as ReadMessage;
      if (message.calls.length > 0) return noAnswers;
      for (const result of message.results) {
        if (result.callId !== null || result.name !== null) return noAnswers;
        results.push(result);
      }
    }
    if (results.length === 0) return noAnswers;
    const uses = this.uses.filter(({ isEarlier }) => !isEarlier);
    if (uses.length === 0) this.unnamed = { results, start };
    if (uses.length !== results.length) return noAnswers;
    return new Map(results.map((result, at) => [result, uses[at] as ToolUse]));
  }

  request(request: RequestedCall, index: number, call: LlmCall): void {
    const known = this.#withId(request);
    // Some producers number the calls of each answer, so a later answer repeats the ids. A model that has a result asks for another one.
    const isNext =
      known !== undefined &&
      known.returned !== null &&
      known.call !== null &&
      known.call < index &&
      isOther(known, request);
    if (known !== undefined && !isNext) {
      completeArguments(known, request);
      return;
    }
    const use = this.#add(request, index, false, call.start);
    use.isEndGiven = isUncut(request, call);
    if (known === undefined || request.id === null) return;
    const same = this.#sameId.get(request.id);
    if (same === undefined) this.#sameId.set(request.id, [known, use]);
    else same.push(use);
    for (const one of same === undefined ? [known, use] : [use])
      this.#sameRequest.set(`${request.id} ${signatureOfUse(one)}`, one);
  }

  /**
   * Adds a result to its request. `waiting`: the request before this result in the same history that has no result yet; null if there is
   * none.
   */
  answer(result: ReturnedResult, usedBy: number | null, waiting: ToolUse | null = null): void {
    const isWaiting = waiting !== null && result.callId !== null && waiting.ids.includes(result.callId);
    const use = isWaiting
      ? waiting
      : ((result.callId === null ? undefined : this.#byId.get(result.callId)) ?? waiting);
    if (use === null) return;
    if (use.returned === null || isMoreComplete(result, use.returned)) use.returned = result;
    if (usedBy !== null) use.usedBy ??= usedBy;
  }

  /** Returns the known request with the id; if several have it, the one with the same tool and arguments, otherwise the last. */
  #withId(request: RequestedCall): ToolUse | undefined {
    const { id } = request;
    if (id === null) return undefined;
    const same = this.#sameId.get(id);
    if (same === undefined) return this.#byId.get(id);
    return (
      this.#sameRequest.get(`${id} ${signatureOf(request)}`) ??
      same.slice(-MOST_COMPARED).findLast((use) => !isOther(use, request)) ??
      this.#byId.get(id)
    );
  }

  #recall(
    request: RequestedCall,
    messages: readonly ReadMessage[],
    at: number,
    call: number,
    isEarlier: boolean,
    start: number,
  ): ToolUse {
    let known = this.#withId(request);
    if (known === undefined) {
      const signature = signatureOf(request);
      const alike = this.uses.filter((one) => signatureOfUse(one) === signature);
      known = alike[alike.length === 0 ? 0 : occurrencesBefore(messages, at, request, signature)];
      if (known === undefined) return this.#add(request, call, isEarlier, start);
      if (request.id !== null) {
        if (!known.ids.includes(request.id)) known.ids.push(request.id);
        this.#byId.set(request.id, known);
      }
    }
    completeArguments(known, request);
    return known;
  }

  /**
   * Returns the use for a result that has a tool name and a call id, but whose request is in no message. It is a request of this tool
   * without an id, or else a new use. Some recorders lose the requests in histories.
   */
  #unrequested(
    { callId, name }: ReturnedResult,
    call: number,
    isEarlier: boolean,
    start: number,
  ): ToolUse | null {
    if (callId === null || name === null || this.#byId.has(callId)) return null;
    const known = this.uses.find(
      ({ requestedName, ids, returned }) =>
        ids.length === 0 && returned === null && sameTool(requestedName, name),
    );
    if (known === undefined)
      return this.#add({ id: callId, name, arguments: undefined }, call, isEarlier, start);
    known.ids.push(callId);
    this.#byId.set(callId, known);
    return known;
  }

  #add(request: RequestedCall, call: number, isEarlier: boolean, start: number): ToolUse {
    const use = new ToolUse(start);
    if (request.id !== null) {
      use.ids.push(request.id);
      this.#byId.set(request.id, use);
    }
    use.requestedName = request.name;
    use.requestedArguments = request.arguments;
    use.call = call;
    use.isEarlier = isEarlier;
    this.uses.push(use);
    return use;
  }
}

/**
 * Removes and returns the request that a result answers: by id, else the first with the tool's name, else the first; null if there is none.
 */
function takeWaiting(waiting: ToolUse[], callId: string | null, name: string | null): ToolUse | null {
  if (waiting.length === 0) return null;
  let at = callId === null ? -1 : waiting.findIndex(({ ids }) => ids.includes(callId));
  if (at < 0 && name !== null) at = waiting.findIndex(({ requestedName }) => sameTool(requestedName, name));
  const [use] = waiting.splice(Math.max(at, 0), 1);
  return use ?? null;
}

/** Whether a copy of a result has a content that the known copy lacks, or the complete text of one that the known copy has truncated. */
function isMoreComplete({ content }: ReturnedResult, known: ReturnedResult): boolean {
  if (content === undefined || content === known.content) return false;
  if (known.content === undefined) return true;
  return isCutResult(known) && !outcomeOf(content).isCut && beginAlike(known.content, content);
}

/** Whether a truncated value and another one may be copies. Some producers repeat ids, so an equal id does not show a copy. */
function beginAlike(cut: JsonValue, other: JsonValue): boolean {
  return beginsAlike(writtenAs(cut), writtenAs(other));
}

function writtenAs(value: JsonValue): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Whether a result is truncated. Computed once, because each history repeats the earlier results. */
const isCutResult = derivedOnce(({ content }: ReturnedResult): boolean => outcomeOf(content).isCut);

/** Sets the arguments of a repeated request if the known ones are absent or truncated. A truncated copy does not replace another one. */
function completeArguments(known: ToolUse, { arguments: args }: RequestedCall): void {
  const { requestedArguments: cut } = known;
  if (cut === undefined) known.setArguments(args);
  else if (args !== undefined && known.asked.isCut && !argumentsOf(args).isCut && beginAlike(cut, args))
    known.setArguments(args);
}

/** No limit of an SDK or producer for the length of texts is shorter. */
const SHORTEST_LIMIT = 64;

/** Whether no limit truncated the arguments, because the message is complete and the call's span has a longer text. */
function isUncut({ arguments: args }: RequestedCall, { node, isCut }: LlmCall): boolean {
  if (typeof args !== "string" || args.length >= SHORTEST_LIMIT || args.endsWith("}") || isCut) return false;
  for (let at = 0; at < node.span.size; at++) {
    const text = node.rawAt(at);
    if (typeof text === "string" && text.length > args.length) return true;
  }
  return false;
}

/** Whether a request calls another tool than the use, or has other arguments, and neither is truncated. */
function isOther(use: ToolUse, request: RequestedCall): boolean {
  if (use.requestedName !== null && request.name !== null && !sameTool(use.requestedName, request.name))
    return true;
  if (use.requestedArguments === undefined || request.arguments === undefined) return false;
  if (use.asked.isCut || argumentsOf(request.arguments).isCut) return false;
  return signatureOfUse(use) !== signatureOf(request);
}

function signatureOfUse(use: ToolUse): string {
  return `${plainName(use.requestedName ?? "")} ${use.signature}`;
}

/** Number of requests with this name and these arguments that precede `request` in the history, including those in its own message. */
function occurrencesBefore(
  messages: readonly ReadMessage[],
  at: number,
  request: RequestedCall,
  signature: string,
): number {
  let count = 0;
  for (let place = 0; place <= at; place++)
    for (const other of (messages[place] as ReadMessage).calls) {
      if (other === request) return count;
      if (signatureOf(other) === signature) count++;
    }
  return count;
}
