import { isArray, isObject, type JsonValue, parseJson } from "../../model/json.ts";
import type { LlmCall } from "../calls/llm-call.ts";
import type { ToolSpan } from "../calls/tool-span.ts";
import type { ReadMessage } from "../notations/message.ts";
import { plainName } from "../notations/names.ts";

/**
 * Minimum length, in characters, of a text that is searched within messages. A shorter text may occur by chance, so it must equal the
 * complete message.
 */
const LEAST_WITHIN = 24;
/** Minimum length, in characters, of a truncated text that is compared with the beginnings of known texts. */
const LEAST_BEGINNING = 40;
/** At least this number of the latest texts are searched within a message; up to twice as many are kept. */
const MOST_WITHIN = 64;
const MOST_DEPTH = 4;

export function withSingleSpaces(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

export function holdsText(whole: string, part: string): boolean {
  return whole.includes(part) || withSingleSpaces(whole).includes(withSingleSpaces(part));
}

/**
 * Texts, requests and names of the agents and tools of a trace, each with the number of the part of the trace that produced it. If several
 * parts produced the same text, the latest part counts.
 */
export class ProducedTexts {
  readonly #partByText = new Map<string, number>();
  readonly #partByRequest = new Map<string, number>();
  readonly #partByAgent = new Map<string, number>();
  readonly #recent: { readonly text: string; readonly part: number }[] = [];
  /** Tool results of any length since the last model call. The next call's history contains them, under any role. */
  readonly #fresh = new Map<string, number>();

  addCall(call: LlmCall, agent: string | null, part: number): void {
    this.#fresh.clear();
    for (const { text } of call.outputs) {
      if (text === null) continue;
      this.#addText(text, part);
      this.#addLeaves(parsedObject(text), part, 0);
    }
    for (const { id, arguments: args } of call.requests) {
      if (id !== null) this.#partByRequest.set(id, part);
      this.#addLeaves(typeof args === "string" ? (parsedObject(args) ?? args) : args, part, 0);
    }
    if (agent !== null) this.#partByAgent.set(plainName(agent), part);
  }

  addTool({ result }: ToolSpan, part: number): void {
    this.#addLeaves(result, part, 0);
    if (typeof result !== "string") return;
    this.#fresh.set(withSingleSpaces(result), part);
    this.#addLeaves(parsedObject(result), part, 0);
  }

  partOfRequest(id: string): number | undefined {
    return this.#partByRequest.get(id);
  }

  /**
   * Returns the part whose agent or tool produced the message's text. Without one, returns the part whose agent the message names as its
   * author; undefined if there is none.
   */
  partOf({ text, name }: ReadMessage): number | undefined {
    if (text === null || text.trim() === "") return undefined;
    const whole = withSingleSpaces(text);
    const part = this.#partByText.get(whole) ?? this.#fresh.get(whole) ?? this.#partWithin(whole);
    return part ?? (name === null ? undefined : this.#partByAgent.get(plainName(name)));
  }

  /** Returns the latest part whose model texts or tool requests occur in a history. */
  latestIn(history: readonly ReadMessage[]): number | undefined {
    let latest = -1;
    for (const { role, text, calls } of history) {
      if (role === "assistant" && text !== null && text !== "")
        latest = Math.max(latest, this.#partByText.get(withSingleSpaces(text)) ?? -1);
      for (const { id } of calls)
        if (id !== null) latest = Math.max(latest, this.#partByRequest.get(id) ?? -1);
    }
    return latest < 0 ? undefined : latest;
  }

  #partWithin(whole: string): number | undefined {
    if (whole.length < LEAST_WITHIN) return undefined;
    return this.#recent.findLast(
      ({ text }) => whole.includes(text) || (whole.length >= LEAST_BEGINNING && text.startsWith(whole)),
    )?.part;
  }

  /** Adds the long texts within a value. Short texts are left out, because a user may repeat them by chance. */
  #addLeaves(value: JsonValue | undefined, part: number, depth: number): void {
    if (typeof value === "string") {
      if (value.length >= LEAST_WITHIN) this.#addText(value, part);
      return;
    }
    if (value === undefined || depth > MOST_DEPTH) return;
    if (isObject(value) || isArray(value))
      for (const one of Object.values(value)) this.#addLeaves(one, part, depth + 1);
  }

  #addText(text: string, part: number): void {
    const whole = withSingleSpaces(text);
    if (whole === "") return;
    this.#partByText.set(whole, part);
    if (whole.length < LEAST_WITHIN) return;
    this.#recent.push({ text: whole, part });
    if (this.#recent.length > 2 * MOST_WITHIN) this.#recent.splice(0, MOST_WITHIN);
  }
}

/** Parsed value of a text that is a JSON object or list. */
function parsedObject(text: string): JsonValue | undefined {
  return /^\s*[[{]/.test(text) ? parseJson(text) : undefined;
}
