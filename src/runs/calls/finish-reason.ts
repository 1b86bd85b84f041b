import { isArray, type JsonValue } from "../../model/json.ts";
import { remembered } from "../../support/structures/bounded-memo.ts";
import { unfold } from "../notations/parse-text.ts";

const reasons: readonly (readonly [RegExp, string])[] = [
  [/^(?:tool|function)/, "tool_call"],
  [/^(?:stop|endturn|stopsequence|eos|complete)/, "stop"],
  [/^(?:length|max)/, "length"],
  [/^(?:contentfilter|safety|refusal|blocked|recitation|prohibited)/, "content_filter"],
];

/**
 * Finish reason: `tool_call`, `stop`, `length`, `content_filter`, or the producer's word; null if unknown. Producers write a text, a list,
 * JSON of a list, a comma-separated list, or a printed enum.
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
