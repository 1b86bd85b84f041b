import type { JsonValue } from "../../model/json.ts";
import type { AgentRun, Missing, TellsMissingValues, ToolCall } from "../../model/run.ts";
import { grouped } from "./text.ts";

/*
 * SDKs truncate values without a mark. A text counts as truncated if its length is exactly a usual limit, and it does not end like a
 * sentence, JSON value or line. Some instrumentations write a mark: `[truncated]`, or dots after a usual length.
 */

/** Default and documented length limits of SDKs, instrumentations and backends, in characters. */
const usualLimits = new Set([
  128, 200, 250, 255, 256, 500, 512, 1000, 1024, 2000, 2048, 4000, 4095, 4096, 5000, 8000, 8191, 8192, 10_000,
  12_000, 16_000, 16_383, 16_384, 20_000, 32_000, 32_766, 32_767, 32_768, 50_000, 64_000, 65_535, 65_536,
  100_000, 131_072,
]);

/** Matches the end of a sentence (also in quotes, brackets or markup), JSON value or line. */
const finished = /[.!?。！？…\n}\]][\s"'”’»)\]*_`~|>]*$/u;
const LONGEST_END = 16;

/** Returns the limit, in characters, at which a text was probably truncated; null if the text looks complete. */
export function limitOfCut(text: string): number | null {
  const { length } = text;
  if (length < 128) return null;
  const limit = usualLimits.has(length) ? length : limitInCharacters(text);
  return limit === null || finished.test(text.slice(-LONGEST_END)) ? null : limit;
}

/**
 * For a text with surrogate pairs, returns the number of code points if it is a usual limit; otherwise null. Python counts code points;
 * JavaScript and Java count UTF-16 units.
 */
function limitInCharacters(text: string): number | null {
  if (!hasPairs.test(text)) return null;
  const characters = Array.from(text).length;
  return usualLimits.has(characters) ? characters : null;
}

const hasPairs = /[\ud800-\udbff]/;

const LONGEST_MARK = 64;
const endsLikeMark = /[.…\])>]\s*$/u;
/** Matches dots at the end of a text. Dots alone do not prove a cut, because they can also end a sentence. */
const dots = /\s*[[(<]?(?:\.\.\.|…)[\])>]?\s*$/u;
/** Matches a mark in words at the end of a text: `[truncated]`, `…(truncated, 900 bytes)`, `[300 characters omitted]`. */
const mark =
  /[[(<][.…\s]*(?:truncated\b[^\])>]*|\d[\d.,]*\s*(?:more\s+)?(?:char(?:acter)?|byte|token|word|line)s?\s+(?:truncated|omitted|removed))[.…\s]*[\])>]\s*$/iu;

/**
 * Describes where a text that an agent wrote was truncated, such as "4,096 characters"; null if the text looks complete. Not for tool
 * results: there, a mark is part of what the model received.
 */
export function placeOfCut(text: string): string | null {
  const limit = limitOfCut(text);
  if (limit !== null) return `${grouped(limit)} characters`;
  const from = Math.max(0, text.length - LONGEST_MARK);
  const end = text.slice(from);
  if (!endsLikeMark.test(end)) return null;
  const found = mark.exec(end) ?? dots.exec(end);
  if (found === null) return null;
  const isWorded = /[a-z]/i.test(found[0]);
  return isWorded || [text.length, from + found.index].some(isBeforeDots)
    ? `the mark ${found[0].trim()}`
    : null;
}

/** Whether truncated texts with dots at the end often have this length, with or without the dots. */
function isBeforeDots(length: number): boolean {
  return usualLimits.has(length) || (length >= 100 && length % 100 === 0);
}

/**
 * Returns the run for the checks: a truncated answer, and truncated arguments and results of tools, are unknown. Returns the same object if
 * no value is truncated.
 */
export function withoutCutValues(run: AgentRun & Partial<TellsMissingValues>): AgentRun {
  const { answer, tools } = run;
  const answerCut = answer === null ? null : placeOfCut(answer);
  const cut: Missing[] = answerCut === null ? [] : [cutOff("answer", answerCut)];
  const known = tools.some(isCut) ? tools.map((call) => withoutCutTexts(call, cut)) : tools;
  if (cut.length === 0) return run;
  const changed = new Map<string | symbol, unknown>([["tools", known]]);
  if (answerCut !== null) changed.set("answer", null).set("answerBegin", answer);
  // A proxy, because a copy would read all lazy texts of the run.
  return new Proxy(run, {
    get(target, name): unknown {
      if (changed.has(name)) return changed.get(name);
      const value: unknown = Reflect.get(target, name, target);
      const lists = (name === "missing" || name === "missingValues") && Array.isArray(value);
      return lists ? [...cut, ...(value as readonly Missing[])] : value;
    },
  });
}

function isCut({ arguments: given, result }: ToolCall): boolean {
  return placeIn(given) !== null || limitIn(result) !== null;
}

function withoutCutTexts(call: ToolCall, cut: Missing[]): ToolCall {
  const [given, result] = [placeIn(call.arguments), limitIn(call.result)];
  if (given !== null) cut.push(cutOff("tool_arguments", given));
  if (result !== null) cut.push(cutOff("tool_results", `${grouped(result)} characters`));
  return {
    ...call,
    arguments: given === null ? call.arguments : undefined,
    result: result === null ? call.result : undefined,
  };
}

function placeIn(value: JsonValue | undefined): string | null {
  return typeof value === "string" ? placeOfCut(value) : null;
}

function limitIn(value: JsonValue | undefined): number | null {
  return typeof value === "string" ? limitOfCut(value) : null;
}

function cutOff(what: string, place: string): Missing {
  return { what, why: `cut off at ${place}` };
}

/** Returns the note about a truncated value, such as "cut off at 4,096 characters"; undefined if the value is not truncated. */
export function cutNote(field: string, { missing }: AgentRun): string | undefined {
  return missing.find(({ what, why }) => what === field && why.includes("cut off at "))?.why;
}
