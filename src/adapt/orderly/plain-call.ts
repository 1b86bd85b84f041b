import { Call, finishReason } from "../call.ts";
import { fieldIndex } from "../fields.ts";
import type { Piece } from "../piece.ts";
import type { TokenCounts } from "../read-usage.ts";
import { PlainSpan } from "./plain-span.ts";

const REQUEST_MODEL = fieldIndex("requestModel");
const RESPONSE_MODEL = fieldIndex("responseModel");
const MODEL = fieldIndex("model");
const RESPONSE_ID = fieldIndex("responseId");
const INPUT = fieldIndex("inputTokens");
const OUTPUT = fieldIndex("outputTokens");
const TOTAL = fieldIndex("totalTokens");
const CACHED = fieldIndex("cachedTokens");
const CACHE_WRITE = fieldIndex("cacheWriteTokens");
const REASONING = fieldIndex("reasoningTokens");

const alone: readonly Piece[] = [];

/** A model call of an orderly run. */
export class PlainCall extends PlainSpan {
  #call: Call | undefined;
  #counts: TokenCounts | undefined;

  /** The same call, as it is read elsewhere. */
  get call(): Call {
    return (this.#call ??= new Call(this.piece, alone));
  }

  get hasModel(): boolean {
    return this.has(REQUEST_MODEL) || this.has(RESPONSE_MODEL) || this.has(MODEL);
  }

  /** Token counts as the producer gave them, of a call about which there is nothing to guess. */
  get counts(): TokenCounts {
    return (this.#counts ??= this.isBare ? this.#ownCounts() : this.piece.counts);
  }

  #ownCounts(): TokenCounts {
    const { layout, span } = this;
    return {
      input: layout.number(INPUT, span),
      output: layout.number(OUTPUT, span),
      total: layout.number(TOTAL, span),
      cached: layout.number(CACHED, span),
      cacheWrite: layout.number(CACHE_WRITE, span),
      reasoning: layout.number(REASONING, span),
    };
  }

  /** As `Call.finish` tells it. */
  get finish(): string | null {
    if (!this.isBare) return this.call.finish;
    const given = this.json("finish");
    return given === undefined ? null : finishReason(given);
  }

  get output(): number | undefined {
    return this.counts.output;
  }

  get responseId(): string | undefined {
    return this.text(RESPONSE_ID);
  }

  get scope(): string {
    return this.span.scopeName;
  }
}
