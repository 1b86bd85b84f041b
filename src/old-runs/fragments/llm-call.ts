import { isArray, type JsonValue } from "../../model/json.ts";
import { remembered } from "../../support/structures/bounded-memo.ts";
import type { Message, RequestedCall } from "../../model/message.ts";
import type { Field } from "../../../adapters/field-names.ts";
import type { CallLayers } from "./call-layers.ts";
import { unfold } from "../messages/unfold.ts";
import type { Usage } from "../../model/run.ts";
import type { SpanNode } from "../span/span-node.ts";
import { countingLayer, layeredCounts } from "./layered-counts.ts";
import { usageBeyond, usageOf } from "./tokens.ts";
import type { KnownMessage, StateMessages } from "./state-messages.ts";
import { lastText } from "../span/read-texts.ts";
import type { TokenCounts } from "../span/read-usage.ts";

/**
 * One model call: the innermost span that shows it, and the spans of other layers around it that show the same call. What
 * the innermost lacks is taken from those around.
 */
export class LlmCall {
  readonly node: SpanNode;
  readonly around: readonly SpanNode[];
  readonly #layers: CallLayers | undefined;
  readonly #state: StateMessages | undefined;
  #inputs: readonly Message[] | undefined;
  #ownOutputs: readonly Message[] | undefined;
  #outputs: readonly Message[] | undefined;
  #text: string | null | undefined;
  #finish: string | null | undefined;
  #requests: readonly RequestedCall[] | undefined;
  #failure: string | null | undefined;
  #usage: Usage | undefined;
  #counts: TokenCounts | undefined;
  /** How many completions its spans stand for: more than one where a span has the usage of all, and spans within it what each returned. */
  readonly completions: number;
  /** The call whose usage this one's includes. */
  readonly #before: LlmCall | undefined;

  /** `layers` tells the call spans around it, also those that hold other calls as well. */
  constructor(
    node: SpanNode,
    around: readonly SpanNode[],
    layers?: CallLayers,
    state?: StateMessages,
    before?: LlmCall,
    completions = 1,
  ) {
    this.completions = completions;
    this.#before = before;
    this.node = node;
    this.around = around;
    this.#layers = layers;
    this.#state = state;
  }

  /** The same call with what other spans of it know, found elsewhere. */
  with(copies: readonly SpanNode[]): LlmCall {
    return new LlmCall(
      this.node,
      [...this.around, ...copies],
      this.#layers,
      this.#state,
      this.#before,
      this.completions,
    );
  }

  /** The same call, whose reported usage includes that of an earlier one. */
  including(before: LlmCall): LlmCall {
    return new LlmCall(this.node, this.around, this.#layers, this.#state, before, this.completions);
  }

  /** The same call, known to be several completions. */
  standingFor(completions: number): LlmCall {
    return new LlmCall(this.node, this.around, this.#layers, this.#state, this.#before, completions);
  }

  /** What the framework's state says of the message that this call returned. */
  get known(): KnownMessage | undefined {
    return this.#state?.of(this);
  }

  /** Tokens: cached ones in the input, reasoning in the output. */
  get usage(): Usage {
    return (this.#usage ??=
      this.#before === undefined ? usageOf(this) : usageBeyond(usageOf(this), usageOf(this.#before)));
  }

  /** Its reported usage includes that of the call before it. */
  get isCumulative(): boolean {
    return this.#before !== undefined;
  }

  /** Whether its start and end were recorded, and are not only its place in the order of calls. */
  get isTimed(): boolean {
    return this.node.start > 0;
  }

  get start(): number {
    return this.node.start;
  }

  get end(): number {
    return this.node.end;
  }

  get inputs(): readonly Message[] {
    return (this.#inputs ??= this.#messages("inputs"));
  }

  /** What its own spans say it returned. */
  get ownOutputs(): readonly Message[] {
    return (this.#ownOutputs ??= this.#messages("outputs"));
  }

  /** What it returned; where its spans leave out the tools it asked for, as the framework's state has it. */
  get outputs(): readonly Message[] {
    return (this.#outputs ??= this.#allOutputs());
  }

  #allOutputs(): readonly Message[] {
    const own = this.ownOutputs;
    if (this.#state === undefined || this.finish !== "tool_call" || own.some(({ calls }) => calls.length > 0))
      return own;
    const { known } = this;
    return known === undefined ? own : [known.message];
  }

  /** The tool calls it asked for, in the model's order. */
  get requests(): readonly RequestedCall[] {
    return (this.#requests ??= requestsIn(this.outputs));
  }

  /** What it said, when it asked for nothing. */
  get text(): string | undefined {
    if (this.#text === undefined) this.#text = lastText(this.outputs, "assistant") ?? null;
    return this.#text ?? undefined;
  }

  /** As the innermost span counts them; what it leaves out, as the layers around it do. */
  get counts(): TokenCounts {
    const { counting } = this;
    if (counting === undefined) return this.known?.counts ?? this.node.counts;
    if (this.around.length === 0) return counting.counts;
    return (this.#counts ??= layeredCounts(counting, [this.node, ...this.around]));
  }

  /** The innermost of its spans that counts tokens. */
  get counting(): SpanNode | undefined {
    if (this.around.length > 0) return countingLayer([this.node, ...this.around]);
    const { counts } = this.node;
    return counts.input !== undefined || counts.output !== undefined ? this.node : undefined;
  }

  /** `tool_call`, `stop`, `length`, `content_filter`, `error`, or the producer's own word; null when it is not said. */
  get finish(): string | null {
    if (this.#finish === undefined) {
      const given = this.#first((node) => node.json("finish"));
      this.#finish = given === undefined ? null : finishReason(given);
    }
    return this.#finish;
  }

  get failure(): string | null {
    if (this.#failure === undefined) this.#failure = this.#first((node) => node.failure ?? undefined) ?? null;
    return this.#failure;
  }

  field(
    name:
      | "requestModel"
      | "responseModel"
      | "model"
      | "provider"
      | "responseId"
      | "serviceTier"
      | "requestedTier",
  ): string | undefined {
    const own = this.node.text(name) ?? textIn(this.around, name);
    return own !== undefined || name !== "requestModel" ? own : this.#layers?.requestModel(this.node);
  }

  /** Adds the call spans around it, also those that hold other calls as well; `to`: what this has collected. */
  addAbove(to: Set<SpanNode>): void {
    const layers = this.#layers;
    for (let at = layers?.above(this.node); at !== undefined && !to.has(at); at = layers?.above(at))
      to.add(at);
  }

  #first<T>(read: (node: SpanNode) => T | undefined): T | undefined {
    const own = read(this.node);
    if (own !== undefined) return own;
    for (const node of this.around) {
      const value = read(node);
      if (value !== undefined) return value;
    }
    return undefined;
  }

  #messages(side: "inputs" | "outputs"): readonly Message[] {
    const own = this.node[side];
    if (own.length > 0) return own;
    for (const node of this.around) if (node[side].length > 0) return node[side];
    return own;
  }
}

function requestsIn(outputs: readonly Message[]): readonly RequestedCall[] {
  const [first, ...others] = outputs;
  if (first === undefined) return noRequests;
  return others.length === 0 ? first.calls : outputs.flatMap(({ calls }) => calls);
}

const noRequests: readonly RequestedCall[] = [];

function textIn(nodes: readonly SpanNode[], field: Field): string | undefined {
  for (const node of nodes) {
    const text = node.text(field);
    if (text !== undefined) return text;
  }
  return undefined;
}

const reasons: readonly (readonly [RegExp, string])[] = [
  [/^(?:tool|function)/, "tool_call"],
  [/^(?:stop|endturn|stopsequence|eos|complete)/, "stop"],
  [/^(?:length|max)/, "length"],
  [/^(?:contentfilter|safety|refusal|blocked|recitation|prohibited)/, "content_filter"],
];

/** Why a model stopped, as `LlmCall.finish` has it: producers write a text, a list, JSON of a list, a comma-joined list, or a printed enum. */
function finishReason(value: JsonValue): string | null {
  if (typeof value === "string") return reasonInText(value);
  const first = isArray(value) ? value.find(isFilled) : undefined;
  return first === undefined ? null : plainReason(first);
}

const reasonInText = remembered((text): string | null => {
  const inner = unfold(text, 1);
  if (typeof inner !== "string") return finishReason(inner);
  const first = inner.split(",").find(isFilled);
  return first === undefined ? null : plainReason(first);
});

function isFilled(item: JsonValue): item is string {
  return typeof item === "string" && item !== "";
}

const plainReason = remembered((reason): string => {
  const plain = reason
    .slice(reason.lastIndexOf(".") + 1)
    .replace(/[^A-Za-z]/g, "")
    .toLowerCase();
  return reasons.find(([pattern]) => pattern.test(plain))?.[1] ?? reason;
});
