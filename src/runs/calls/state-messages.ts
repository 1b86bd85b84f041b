import { isArray, isObject, type JsonObject, type JsonValue } from "../../model/json.ts";
import { ByteWord } from "../facts/byte-search.ts";
import { F } from "../facts/fields.ts";
import type { SpanFacts } from "../facts/span-facts.ts";
import { type ReadMessage, readMessages } from "../notations/message.ts";
import { unfold } from "../notations/parse-text.ts";
import { findCounts, TokenCounts } from "../notations/usage.ts";
import { responseModelIn } from "./kept-response.ts";

/** One model message in a framework's state. */
export interface KnownMessage {
  readonly message: ReadMessage;
  readonly counts: TokenCounts;
  readonly model: string | null;
}

const mark = /response_metadata|usage_metadata/;
const metadata = new ByteWord("_metadata");
const MOST_DEPTH = 8;

/**
 * Model messages in the state that a framework writes as output of its steps. They may have fields that call spans lack: requested tools,
 * cached and reasoning tokens, the response model, the agent's name.
 */
export class StateMessages {
  readonly #nodes: readonly SpanFacts[];
  #messages: KnownMessage[] | null = null;
  readonly #taken = new Set<KnownMessage>();

  constructor(nodes: readonly SpanFacts[]) {
    this.#nodes = nodes;
  }

  /** Returns the message in a framework's state that belongs to a call, by tool call ids, text, or token counts; null if there is none. */
  of(outputs: readonly ReadMessage[], counts: TokenCounts): KnownMessage | null {
    const messages = (this.#messages ??= collect(this.#nodes));
    if (messages.length === 0) return null;
    const ids = outputs.flatMap(({ calls }) => calls.flatMap(({ id }) => id ?? []));
    const text = outputs.find((message) => message.text !== null && message.text !== "")?.text ?? null;
    const found =
      messages.find(({ message }) => message.calls.some(({ id }) => id !== null && ids.includes(id))) ??
      (text === null ? undefined : messages.find(({ message }) => message.text === text)) ??
      (counts.output === undefined
        ? undefined
        : messages.find(
            (one) =>
              one.counts.output === counts.output &&
              one.counts.input === counts.input &&
              !this.#taken.has(one),
          ));
    if (found !== undefined) this.#taken.add(found);
    return found ?? null;
  }
}

/** Returns each message once, in the order of the first step that contains it. */
function collect(nodes: readonly SpanFacts[]): KnownMessage[] {
  const found = new Map<string, KnownMessage>();
  /** Texts that were already read. Several steps may have the same state as output. */
  const seen = new Set<JsonValue>();
  for (const node of nodes) {
    const { role } = node;
    if ((role !== "step" && role !== "workflow" && role !== "agent") || !node.hasField(F.output)) continue;
    if (!node.mayMention(F.output, metadata)) continue;
    const text = node.nthRaw(F.output, 0);
    if (typeof text === "string" && !mark.test(text)) continue;
    for (let nth = 0; ; nth++) {
      const raw = node.nthRaw(F.output, nth);
      if (raw === undefined) break;
      if (!seen.has(raw)) addFrom(unfold(node.nthValue(F.output, nth) ?? raw), found, 0);
      seen.add(raw);
    }
  }
  return [...found.values()];
}

function addFrom(value: JsonValue, found: Map<string, KnownMessage>, depth: number): void {
  if (depth > MOST_DEPTH) return;
  if (isArray(value))
    // LangGraph returns a list of commands, each printed as text.
    for (const item of value)
      addFrom(typeof item === "string" && mark.test(item) ? unfold(item) : item, found, depth + 1);
  else if (isObject(value)) {
    if (hasMetadata(value)) add(value, found);
    else
      for (const name in value) {
        const inner = value[name];
        if (typeof inner === "object" && inner !== null) addFrom(inner, found, depth + 1);
      }
  }
}

/** Adds a message. Of two equal messages, with and without an agent's name, the message with the name is kept. */
function add(object: JsonObject, found: Map<string, KnownMessage>): void {
  const [message] = readMessages(object, "assistant");
  if (message?.role !== "assistant") return;
  const ids = message.calls.map(({ id }) => id ?? "").join(" ");
  const name = ids.trim() === "" ? (message.text ?? "") : ids;
  const known = found.get(name);
  if (known !== undefined && (known.message.name !== null || message.name === null)) return;
  const counts = findCounts(object);
  const model = responseModelIn(object);
  if (counts !== undefined || model !== null) found.set(name, { message, counts: counts ?? noCounts, model });
}

const noCounts = new TokenCounts();

function hasMetadata(object: JsonObject): boolean {
  return isWithMetadata(object) || isWithMetadata(object["kwargs"]) || isWithMetadata(object["data"]);
}

function isWithMetadata(value: JsonValue | undefined): boolean {
  return isObject(value) && (isObject(value["response_metadata"]) || isObject(value["usage_metadata"]));
}
