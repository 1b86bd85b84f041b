import { type JsonValue, parseJson } from "../../model/json.ts";
import type { ModelAnswer, RecordedExchange } from "../../model/model-exchange.ts";
import { canonicalJson } from "../../support/structures/canonical-json.ts";
import { differencesOf } from "./differences.ts";
import type { RecordedRun } from "./recorded-run.ts";
import type { RequestReducer } from "./reduce-request.ts";

/**
 * Whether two recordings behave the same in a playback: they have equal requests with equal answers, in the same order. Differences in ids,
 * and in the spelling of arguments and results, are ignored.
 */
export function isSameRun(a: RecordedRun, b: RecordedRun, reduce: RequestReducer): boolean {
  return (
    a.query === b.query &&
    a.exchanges.length === b.exchanges.length &&
    a.exchanges.every((exchange, at) => isSameExchange(exchange, b.exchanges[at], reduce))
  );
}

function isSameExchange(
  a: RecordedExchange,
  b: RecordedExchange | undefined,
  reduce: RequestReducer,
): boolean {
  if (b === undefined || a.agent !== b.agent || a.error !== b.error) return false;
  const [was, is] = [reduce(a.request), reduce(b.request)];
  return (
    // Compares in both directions, because `differencesOf` ignores parts that the first request does not have.
    differencesOf(was, is).length === 0 &&
    differencesOf(is, was).length === 0 &&
    formOf(a.request.parameters) === formOf(b.request.parameters) &&
    answerForm(a.answer) === answerForm(b.answer)
  );
}

/** Returns an answer as text, without its ids. */
function answerForm(answer: ModelAnswer | null): string {
  if (answer === null) return "";
  const { id: _, calls, ...rest } = answer;
  return formOf({
    ...rest,
    calls: calls.map(({ name, arguments: given }) => ({ name, given: read(given) })),
  });
}

/** Returns the arguments of a call as a value. Parses a text that contains JSON. */
function read(given: JsonValue | undefined): JsonValue {
  return typeof given === "string" ? (parseJson(given) ?? given) : (given ?? null);
}

/** Returns JSON with sorted keys, without undefined values. */
function formOf(value: unknown): string {
  return canonicalJson(JSON.parse(JSON.stringify(value)) as JsonValue);
}
