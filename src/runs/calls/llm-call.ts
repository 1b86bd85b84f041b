import { isArray, type JsonValue } from "../../model/json.ts";
import type { RequestedCall } from "../../model/message.ts";
import type { Usage } from "../../model/run.ts";
import { remembered } from "../../support/structures/bounded-memo.ts";
import { F } from "../facts/fields.ts";
import { RecordView } from "../facts/record-view.ts";
import type { SpanFacts } from "../facts/span-facts.ts";
import { isProviderRun } from "../notations/kinds.ts";
import type { ReadMessage } from "../notations/message.ts";
import { isPlaceholder } from "../notations/names.ts";
import { beginsAlike, unfold } from "../notations/parse-text.ts";
import { findCounts, type TokenCounts } from "../notations/usage.ts";
import { inputsOf, outputsOf } from "./call-messages.ts";
import type { KnownMessage, StateMessages } from "./state-messages.ts";
import { countsOf, fill, inclusiveUsage, unknownUsage, usageBeyond } from "./tokens.ts";

const noRequests: readonly RequestedCall[] = [];

/**
 * One model call: its innermost span, and enclosing spans of other layers for the same call. A field that the innermost span lacks is read
 * from the enclosing spans.
 */
export class LlmCall {
  readonly node: SpanFacts;
  /** Spans of enclosing layers, innermost first, and spans elsewhere in the trace that duplicate the call. */
  around: readonly SpanFacts[];
  /** Number of completions that the call's spans represent. */
  completions = 1;
  /**
   * If the span covers a complete tool loop: the positions, in the call's message history, of the messages that requested the loop's tools.
   * Each of these messages is a completion, and the span's usage is that of the complete loop. Otherwise empty.
   */
  turns: readonly number[] = [];
  /** The earlier call whose usage is included in this call's reported usage; null if there is none. */
  before: LlmCall | null = null;
  /** Whether the call has times; a call known only from a message has none. */
  isTimed: boolean;
  start: number;
  end: number;
  /** Whether the span also encloses the tools that the call requested, and the calls after these tools. */
  isNested = false;
  /** Whether the caller cancelled the call, so that its text is incomplete. */
  isCancelled = false;
  /** Whether the last call of the loop includes the tokens of this call. */
  isCountedLater = false;
  inputs: readonly ReadMessage[];
  outputs: readonly ReadMessage[];
  /** Requested tool calls, in the model's order. */
  requests: readonly RequestedCall[] = noRequests;
  /** Text of the last output message that requests no tool, or only tools that the provider itself ran; null if there is none. */
  text: string | null = null;
  finish: string | null;
  failure: string | null;
  responseId: string | null;
  /** If the call is in a nested transcript: the request of the outer transcript that started the nested one; otherwise null. */
  delegatedBy: RequestedCall | null = null;
  /** The model server's span of the call, which has the request exactly as sent; null if there is none. */
  recorded: SpanFacts | null = null;
  counts: TokenCounts;
  /** Innermost span of the call with token counts. */
  counting: SpanFacts | null;
  readonly state: StateMessages | null;
  /** The agent that made the call, set by `attributeCalls`; null if unknown. */
  agent: string | null = null;
  #known: KnownMessage | null | undefined;

  constructor(node: SpanFacts, around: readonly SpanFacts[], state: StateMessages | null) {
    this.node = node;
    this.around = around;
    this.state = state;
    this.start = node.start;
    this.end = node.end;
    this.isTimed = node.start > 0;
    this.inputs = inputsOf(node);
    this.outputs = outputsOf(node);
    this.finish = finishReason(node.valueAt(F.finish));
    this.failure = node.failure;
    this.responseId = node.responseId;
    this.counts = countsOf(node);
    this.counting = isCounting(this.counts) ? node : null;
    if (around.length > 0) this.#addLayers(around);
    else if (this.counts.input !== undefined || this.counts.output !== undefined) this.counting = node;
    this.#addDetails();
    this.settle();
    this.finish ??= finishReason(this.outputs.at(-1)?.finish ?? undefined);
    if (this.requests.length === 0 && (this.finish === "tool_call" || this.text === null))
      this.#addRequests();
    if (this.counting === null && this.known !== null) this.counts = this.known.counts;
  }

  /** Recomputes `requests` and `text`. Called after the outputs changed. */
  settle(): void {
    const { outputs } = this;
    const [first] = outputs;
    this.requests =
      first === undefined
        ? noRequests
        : outputs.length === 1
          ? first.calls
          : outputs.flatMap(({ calls }) => calls);
    this.text = null;
    for (let at = outputs.length - 1; at >= 0; at--) {
      const { role, text, calls } = outputs[at] as ReadMessage;
      if (role !== "assistant" || text === null || text.trim() === "" || !this.isServed(calls)) continue;
      if (isPlaceholder(text)) continue;
      this.text = text;
      break;
    }
  }

  /**
   * Whether the provider ran all `requests`. Any of three signs shows this for a request: the tool is the provider's own, the output marks
   * the request as run, or the same response has its result.
   */
  isServed(requests: readonly RequestedCall[]): boolean {
    for (const request of requests) {
      const { id, name } = request;
      if (isProviderRun(name) || this.outputs.some(({ served }) => served.includes(request))) continue;
      if (id === null || !this.outputs.some(({ results }) => results.some(({ callId }) => callId === id)))
        return false;
    }
    return true;
  }

  /** This call's output message as it is in the framework's state; null if the state does not have it. */
  get known(): KnownMessage | null {
    if (this.#known === undefined) this.#known = this.state?.of(this.outputs, this.counts) ?? null;
    return this.#known;
  }

  /** Tokens of the call. Input includes cached tokens, output includes reasoning tokens. */
  get usage(): Usage {
    const own = this.#ownUsage();
    return this.before === null ? own : usageBeyond(own, this.before.#ownUsage());
  }

  /** Whether the text is Claude Code's own notice that the model server did not answer. */
  get isStandIn(): boolean {
    return (
      (this.field("requestModel") ?? this.field("responseModel") ?? this.field("model")) === "<synthetic>"
    );
  }

  /**
   * Whether the call has neither tokens nor requests, and its tokens are recorded as zero or it has no finish reason and no text. A text
   * beside zero tokens is the beginning of an answer whose stream broke off. Without any count, the text may be a complete answer.
   */
  get isBrokenOff(): boolean {
    const { counts, finish, outputs } = this;
    if (counts.input || counts.output) return false;
    const isSilent = outputs.every(({ text }) => (text ?? "") === "");
    if (counts.input !== 0 && (finish !== null || !isSilent)) return false;
    return outputs.every(({ calls, results }) => calls.length + results.length === 0);
  }

  /** Whether text or requests are present but truncated. */
  get isCut(): boolean {
    return this.outputs.some(({ isCut }) => isCut);
  }

  field(name: "requestModel" | "responseModel" | "model"): string | null {
    // A span names the requested model and the response's model separately; a log record may name either.
    if (this.node.span instanceof RecordView)
      for (const layer of this.around)
        if (!(layer.span instanceof RecordView) && layer[name] !== null) return layer[name];
    if (this.node[name] !== null) return this.node[name];
    for (const layer of this.around) if (layer[name] !== null) return layer[name];
    if (name === "model") return null;
    // A call span without a model takes the model of an enclosing call span.
    for (let at = this.node.parent; at !== null && at.role !== "agent" && at.role !== "tool"; at = at.parent)
      if (at.role === "call" && at[name] !== null) return at[name];
    return null;
  }

  textOf(field: number): string | null {
    const own = this.node.textAt(field);
    if (own !== null) return own;
    for (const layer of this.around) {
      const text = layer.textAt(field);
      if (text !== null) return text;
    }
    return null;
  }

  /** Adds the fields of a duplicate of the call. */
  addLayers(layers: readonly SpanFacts[]): void {
    this.around = [...this.around, ...layers];
    this.#addLayers(layers);
    this.settle();
  }

  /**
   * Sets `recorded`. The model server's span also supplies missing fields in two cases. The call has no input messages. Or it did not fail,
   * and lacks its answer or token counts.
   */
  addRecorded(span: SpanFacts): void {
    this.recorded = span;
    const { input, output } = this.usage;
    const isAnswered = this.outputs.some(({ isEmpty }) => !isEmpty) && input !== null && output !== null;
    if (this.inputs.length === 0 || (this.failure === null && !isAnswered)) this.addLayers([span]);
  }

  #addLayers(layers: readonly SpanFacts[]): void {
    for (const layer of layers) {
      if (this.inputs.length === 0) this.inputs = inputsOf(layer);
      if (this.outputs.length === 0 || this.isCut) this.outputs = wholeOr(outputsOf(layer), this.outputs);
      this.finish ??= finishReason(layer.valueAt(F.finish));
      this.failure ??= layer.failure;
      this.responseId ??= layer.responseId;
      const counts = countsOf(layer);
      if (this.counting === null && isCounting(counts)) {
        const inner = this.counts;
        this.counts = counts;
        fill(counts, inner);
        this.counting = layer;
      } else {
        if (this.counting !== null) counts.total = undefined;
        fill(this.counts, counts);
      }
    }
    if (this.counting === null && (this.counts.input !== undefined || this.counts.output !== undefined))
      this.counting = this.node;
  }

  /** Adds the requests that are recorded only in the framework's state. */
  #addRequests(): void {
    const { known } = this;
    if (known === null || (this.finish !== "tool_call" && known.message.calls.length === 0)) return;
    this.outputs = [known.message];
    this.settle();
  }

  /** Adds counts from the recorded response that the span lacks. */
  #addDetails(): void {
    const { cached, reasoning } = this.counts;
    if (cached !== undefined && reasoning !== undefined) return;
    const { node } = this;
    if (!node.hasField(F.output)) return;
    const raw = node.nthRaw(F.output, 0);
    if (typeof raw === "string" && (raw.length > MOST_DETAILS || !detailWords.test(raw))) return;
    const found = findCounts(node.valueAt(F.output));
    if (found === undefined || found.input !== this.counts.input) return;
    this.counts.cached ??= found.cached;
    this.counts.reasoning ??= found.reasoning;
    this.counts.longCacheWrite ??= found.longCacheWrite;
  }

  /**
   * Whether token counts are placeholders. No service reports zero tokens for text that it received or returned. Zeros come from a streamed
   * call without usage, or from a producer's default.
   */
  #isUnmeasured({ input, output }: Usage): boolean {
    return input === 0 || (output === 0 && (this.requests.length > 0 || this.text !== null));
  }

  #ownUsage(): Usage {
    const { counts, counting, node } = this;
    const usage = inclusiveUsage(counts, counting ?? node);
    if (this.failure === null && (usage.output ?? 0) === 0 && this.#isUnmeasured(usage)) return unknownUsage;
    if (usage.cached !== null && usage.reasoning !== null) return usage;
    const more = this.known?.counts;
    if (more === undefined || more.input !== counts.input) return usage;
    return {
      ...usage,
      cached: usage.cached ?? more.cached ?? null,
      reasoning: usage.reasoning ?? more.reasoning ?? null,
    };
  }
}

/**
 * Returns the messages of a layer, if no others are known, or if they are a complete copy of the known ones: with the same beginning of the
 * text, and no fewer requests. Otherwise the known messages.
 */
function wholeOr(ofLayer: readonly ReadMessage[], known: readonly ReadMessage[]): readonly ReadMessage[] {
  if (known.length === 0) return ofLayer;
  if (ofLayer.length === 0 || ofLayer.some(({ isCut }) => isCut)) return known;
  const isCopy = beginsAlike(textOf(known), textOf(ofLayer)) && requestCount(ofLayer) >= requestCount(known);
  return isCopy ? ofLayer : known;
}

function textOf(messages: readonly ReadMessage[]): string {
  return messages.map(({ text }) => text ?? "").join("");
}

function requestCount(messages: readonly ReadMessage[]): number {
  return messages.reduce((count, { calls }) => count + calls.length, 0);
}

const MOST_DETAILS = 200_000;
const detailWords = /cache|reasoning|thoughts/i;

/** Whether a span has token counts. If input and output are both zero, the client did not pass the usage to the span. */
function isCounting({ input = 0, output = 0 }: TokenCounts): boolean {
  return input > 0 || output > 0;
}

const reasons: readonly (readonly [RegExp, string])[] = [
  [/^(?:tool|function)/, "tool_call"],
  [/^(?:stop|endturn|stopsequence|eos|complete)/, "stop"],
  [/^(?:length|max)/, "length"],
  [/^(?:contentfilter|safety|refusal|blocked|recitation|prohibited)/, "content_filter"],
];

/** Whether a call ended with tool requests that the telemetry does not contain. */
export function hidesRequest({ finish, requests }: LlmCall): boolean {
  return finish === "tool_call" && requests.length === 0;
}

/**
 * Returns the finish reason: `tool_call`, `stop`, `length`, `content_filter`, or the value that the producer wrote; null if unknown.
 * Producers write a text, a list, JSON of a list, a comma-separated list, or an enum printed as text.
 */
export function finishReason(value: JsonValue | undefined): string | null {
  if (value === undefined) return null;
  if (typeof value === "string") return reasonInText(value);
  const first = isArray(value) ? value.find(isFilled) : undefined;
  return first === undefined ? null : plainReason(first);
}

function isFilled(item: JsonValue): item is string {
  return typeof item === "string" && item !== "";
}

const reasonInText = remembered((text): string | null => {
  const inner = unfold(text);
  if (typeof inner !== "string") return finishReason(inner);
  const first = inner.split(",").find(isFilled);
  return first === undefined ? null : plainReason(first);
});

const plainReason = remembered((reason): string => {
  const plain = reason
    .slice(reason.lastIndexOf(".") + 1)
    .replace(/[^A-Za-z]/g, "")
    .toLowerCase();
  return reasons.find(([pattern]) => pattern.test(plain))?.[1] ?? reason;
});
