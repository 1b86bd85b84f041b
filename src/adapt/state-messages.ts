import { isArray, isObject, type JsonObject, type JsonValue } from "../model/json.ts";
import type { Message } from "../model/message.ts";
import { readMessage } from "./messages/read-message.ts";
import { unfold } from "./messages/unfold.ts";
import type { Piece } from "./piece.ts";
import { responseModelIn } from "./read-model.ts";
import { findCounts, type TokenCounts } from "./read-usage.ts";

/** What a framework's state says of one of the model's messages. */
export interface KnownMessage {
  readonly message: Message;
  readonly counts: TokenCounts;
  readonly model: string | undefined;
}

/** What is looked at of a model call to tell which message of the state is its own. */
interface AnsweredCall {
  readonly piece: Piece;
  readonly ownOutputs: readonly Message[];
}

/**
 * The model's messages in the state that a framework writes as its steps' output. They know what a call's own span may leave
 * out: the tools asked for, cached and reasoning tokens, the model that answered, the agent's name.
 */
export class StateMessages {
  readonly #holders: readonly Piece[];
  #found: KnownMessage[] | undefined;
  readonly #taken = new Map<AnsweredCall, KnownMessage | undefined>();

  constructor(pieces: readonly Piece[]) {
    this.#holders = pieces.filter(
      ({ role, reading }) =>
        (role === "step" || role === "workflow" || role === "agent") && reading.has("output"),
    );
  }

  get isEmpty(): boolean {
    return this.#holders.length === 0;
  }

  /** The state's message that a call returned: by the ids of its tool calls, by its text, or by its token counts. */
  of(call: AnsweredCall): KnownMessage | undefined {
    if (this.#holders.length === 0) return undefined;
    if (!this.#taken.has(call)) this.#taken.set(call, this.#match(call));
    return this.#taken.get(call);
  }

  #match(call: AnsweredCall): KnownMessage | undefined {
    const found = (this.#found ??= collect(this.#holders));
    const own = call.ownOutputs;
    const ids = new Set(own.flatMap(({ calls }) => calls.flatMap(({ id }) => id ?? [])));
    const byId = found.find(({ message }) => message.calls.some(({ id }) => id !== null && ids.has(id)));
    if (byId !== undefined) return byId;
    const text = own.find((message) => message.text !== null && message.text !== "")?.text;
    const byText = text === undefined ? undefined : found.find(({ message }) => message.text === text);
    return byText ?? this.#byCounts(call, found);
  }

  #byCounts(call: AnsweredCall, found: readonly KnownMessage[]): KnownMessage | undefined {
    const { input, output } = call.piece.counts;
    if (output === undefined) return undefined;
    const taken = new Set(this.#taken.values());
    return found.find((one) => one.counts.output === output && one.counts.input === input && !taken.has(one));
  }
}

const mark = /response_metadata|usage/;

/** Each message once, in the order of the steps that show it first. */
function collect(holders: readonly Piece[]): KnownMessage[] {
  const found = new Map<string, KnownMessage>();
  for (const { reading } of holders) {
    const text = reading.text("output");
    if (text !== undefined && !mark.test(text)) continue;
    for (const value of reading.all("output")) addFrom(unfold(value), found, 0);
  }
  return [...found.values()];
}

function addFrom(value: JsonValue, found: Map<string, KnownMessage>, depth: number): void {
  if (depth > 8) return;
  if (isArray(value)) for (const item of value) addFrom(item, found, depth + 1);
  else if (isObject(value)) {
    if (hasMetadata(value)) add(value, found);
    else for (const inner of Object.values(value)) addFrom(inner, found, depth + 1);
  }
}

/** A message that is there twice, once with and once without the agent's name: the fuller one. */
function add(object: JsonObject, found: Map<string, KnownMessage>): void {
  const message = readMessage(object, "assistant");
  const counts = findCounts(object);
  const model = responseModelIn(object);
  if (message.role !== "assistant" || (counts === undefined && model === undefined)) return;
  const key = message.calls.map(({ id }) => id).join(" ") || (message.text ?? "");
  const known = found.get(key);
  if (known === undefined || (known.message.name === null && message.name !== null)) {
    found.set(key, { message, counts: counts ?? {}, model });
  }
}

function hasMetadata(object: JsonObject): boolean {
  const inner = [object, object["kwargs"], object["data"]];
  return inner.some(
    (one) => isObject(one) && (isObject(one["response_metadata"]) || isObject(one["usage_metadata"])),
  );
}
