import type { JsonValue } from "../../../model/json.ts";
import {
  failed,
  type JudgeErrorType,
  type JudgePort,
  type JudgeReply,
  type JudgeRequest,
  type JudgeUsage,
} from "./port.ts";
import type { Prompt } from "../prompt/prompt.ts";
import type { Reading } from "../reply/reading.ts";

/** Data that all judge requests about one run share. */
export interface Asking {
  readonly port: JudgePort;
  readonly runId: string;
  readonly temperature: number;
  readonly maxTokens: number;
  readonly structured: boolean;
  readonly seed?: number;
  /** Number of the repetition of the question, from 0. Each repetition has its own cached replies. */
  readonly repeat?: number;
  readonly signal?: AbortSignal;
}

/** Number of sample numbers reserved for each repetition of a question; higher than the number of votes on one question. */
const SAMPLES_A_REPEAT = 64;

export type Answer<T> =
  | {
      readonly ok: true;
      readonly value: T;
      readonly durationMs: number;
      readonly cached: boolean;
      readonly usage: JudgeUsage;
    }
  | {
      readonly ok: false;
      readonly errorType: JudgeErrorType;
      readonly message: string;
      readonly durationMs: number;
    };

/** Sends one question to one model and parses the reply. A failure is an answer with `ok: false`; the promise does not reject. */
export async function ask<T>(
  asking: Asking,
  model: string,
  sample: number,
  rubric: string,
  prompt: Prompt,
  reader: (json: JsonValue) => Reading<T>,
): Promise<Answer<T>> {
  const { port, signal, repeat = 0, ...common } = asking;
  const reply = await safely(port, {
    ...common,
    ...(signal === undefined ? {} : { signal }),
    model,
    sample: repeat * SAMPLES_A_REPEAT + sample,
    rubric,
    system: prompt.system,
    user: prompt.user,
    userPrefix: prompt.userPrefix,
    schema: prompt.schema,
    promptHash: prompt.hash,
    check: (json) => problemsOf(readOwn(json, prompt, reader)),
  });
  if (!reply.ok) return reply;
  const reading = readOwn(reply.json, prompt, reader);
  const { durationMs, cached, usage } = reply;
  if (reading.ok) return { ok: true, value: reading.value, durationMs, cached, usage };
  return failed(
    "invalid_reply",
    `the judge's reply is not usable: ${reading.problems.join("; ")}`,
    durationMs,
  );
}

/** Parses a reply. Rejects a reply whose JSON also occurs in the judged text, because the judge may have copied it. */
function readOwn<T>(json: JsonValue, { user }: Prompt, reader: (json: JsonValue) => Reading<T>): Reading<T> {
  const reading = reader(json);
  if (!reading.ok || !squeezed(user).includes(squeezed(JSON.stringify(json)))) return reading;
  return {
    ok: false,
    problems: ["the judged text contains the same reply, so the judge may have copied it"],
  };
}

/** Returns a text in which equal JSON is written equally: with decoded escapes and unified numbers, without indentation and quoting. */
function squeezed(text: string): string {
  return text
    .replaceAll(/\\+/g, "\\")
    .replaceAll(/\\u([0-9a-f]{4})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replaceAll(/\d+(?:\.\d+)?(?:e[+-]?\d+)?/gi, (number) => String(Number(number)))
    .replaceAll(/\\[bfnrt]|[\s\\\p{Cc}]/gu, "");
}

function problemsOf(reading: Reading<unknown>): readonly string[] {
  return reading.ok ? [] : reading.problems;
}

async function safely(port: JudgePort, request: JudgeRequest): Promise<JudgeReply> {
  try {
    return await port.ask(request);
  } catch {
    return failed("internal", "the judge could not be called");
  }
}
