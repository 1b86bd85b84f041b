import { isArray, isObject, type JsonObject, type JsonValue } from "../../model/json.ts";
import type { Message } from "../../model/message.ts";
import { readMessage } from "../messages/read-message.ts";
import { ByteWord } from "../text/byte-search.ts";
import { unfold } from "../messages/unfold.ts";
import type { SpanNode } from "../span/span-node.ts";
import { responseModelIn } from "../span/read-model.ts";
import { findCounts, type TokenCounts } from "../span/read-usage.ts";

/** What a framework's state says of one of the model's messages. */
export interface KnownMessage {
  readonly message: Message;
  readonly counts: TokenCounts;
  readonly model: string | undefined;
}

/** What is looked at of a model call to tell which message of the state is its own. */
interface AnsweredCall {
  readonly node: SpanNode;
  readonly ownOutputs: readonly Message[];
}

/**
 * The model's messages in the state that a framework writes as its steps' output. They know what a call's own span may leave
 * out: the tools asked for, cached and reasoning tokens, the model that answered, the agent's name.
 */
export class StateMessages {
  readonly #nodes: readonly SpanNode[];
  #found: Found | null | undefined;
  #known: Map<AnsweredCall, KnownMessage | undefined> | undefined;

  constructor(nodes: readonly SpanNode[]) {
    this.#nodes = nodes;
  }

  /** The state's message that a call returned: by the ids of its tool calls, by its text, or by its token counts. */
  of(call: AnsweredCall): KnownMessage | undefined {
    if (this.#found === undefined) {
      const messages = collect(this.#nodes);
      this.#found = messages.length === 0 ? null : new Found(messages);
    }
    if (this.#found === null) return undefined;
    const known = (this.#known ??= new Map());
    if (!known.has(call)) known.set(call, this.#found.take(call));
    return known.get(call);
  }
}

function mayHoldState({ role, reading }: SpanNode): boolean {
  return (role === "step" || role === "workflow" || role === "agent") && reading.has("output");
}

/** Messages by what a call may have in common with them; of several that fit, the first. */
class Found {
  readonly #messages: readonly KnownMessage[];
  readonly #byId = new Map<string, number>();
  readonly #byText = new Map<string, number>();
  /** Of each pair of counts those that may be there to take yet. */
  readonly #byCounts = new Map<string, KnownMessage[]>();
  readonly #taken = new Set<KnownMessage>();

  constructor(messages: readonly KnownMessage[]) {
    this.#messages = messages;
    // From the last to the first, which then stays.
    for (let at = messages.length - 1; at >= 0; at--) {
      const known = messages[at];
      if (known === undefined) continue;
      const { message, counts } = known;
      for (const { id } of message.calls) if (id !== null) this.#byId.set(id, at);
      if (message.text !== null) this.#byText.set(message.text, at);
      const alike = this.#byCounts.get(pairOf(counts));
      if (alike === undefined) this.#byCounts.set(pairOf(counts), [known]);
      else alike.push(known);
    }
  }

  take(call: AnsweredCall): KnownMessage | undefined {
    const taken =
      this.#thatAsked(call.ownOutputs) ?? this.#thatSaid(call.ownOutputs) ?? this.#thatCounts(call);
    if (taken !== undefined) this.#taken.add(taken);
    return taken;
  }

  #thatAsked(outputs: readonly Message[]): KnownMessage | undefined {
    let first = Infinity;
    for (const { calls } of outputs)
      for (const { id } of calls) if (id !== null) first = Math.min(first, this.#byId.get(id) ?? Infinity);
    return this.#messages[first];
  }

  #thatSaid(outputs: readonly Message[]): KnownMessage | undefined {
    const text = outputs.find((message) => message.text !== null && message.text !== "")?.text;
    return text === undefined || text === null ? undefined : this.#messages[this.#byText.get(text) ?? -1];
  }

  /** Of those that no other call took. */
  #thatCounts({ node: { counts } }: AnsweredCall): KnownMessage | undefined {
    if (counts.output === undefined) return undefined;
    const alike = this.#byCounts.get(pairOf(counts)) ?? [];
    let last = alike[alike.length - 1];
    while (last !== undefined && this.#taken.has(last)) {
      alike.pop();
      last = alike[alike.length - 1];
    }
    return last;
  }
}

function pairOf({ input, output }: TokenCounts): string {
  return `${input} ${output}`;
}

const mark = /response_metadata|usage_metadata/;
const metadata = new ByteWord("_metadata");

/** Each message once, in the order of the steps that show it first. */
function collect(nodes: readonly SpanNode[]): KnownMessage[] {
  const found = new Map<string, KnownMessage>();
  for (const node of nodes) {
    const { reading } = node;
    if (!mayHoldState(node) || !reading.mayMention("output", metadata)) continue;
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
    else
      for (const key in value) {
        const inner = value[key];
        if (typeof inner === "object" && inner !== null) addFrom(inner, found, depth + 1);
      }
  }
}

/** A message that is there twice, once with and once without the agent's name: the fuller one. */
function add(object: JsonObject, found: Map<string, KnownMessage>): void {
  const message = readMessage(object, "assistant");
  if (message.role !== "assistant") return;
  const key = keyOf(message);
  const known = found.get(key);
  if (known !== undefined && (known.message.name !== null || message.name === null)) return;
  const counts = findCounts(object);
  const model = responseModelIn(object);
  if (counts !== undefined || model !== undefined) found.set(key, { message, counts: counts ?? {}, model });
}

function keyOf({ calls, text }: Message): string {
  const [first, ...others] = calls;
  if (first === undefined) return text ?? "";
  return (others.length === 0 ? (first.id ?? "") : calls.map(({ id }) => id).join(" ")) || (text ?? "");
}

function hasMetadata(object: JsonObject): boolean {
  return isWithMetadata(object) || isWithMetadata(object["kwargs"]) || isWithMetadata(object["data"]);
}

function isWithMetadata(value: JsonValue | undefined): boolean {
  return isObject(value) && (isObject(value["response_metadata"]) || isObject(value["usage_metadata"]));
}
