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

/** Common data of all judge requests about one run under one spec. */
export interface Asking {
  readonly port: JudgePort;
  readonly runId: string;
  readonly temperature: number;
  readonly maxTokens: number;
  readonly structured: boolean;
  readonly seed?: number;
  /** Which of several repeats this is, from 0: repeats get independent answers. */
  readonly repeat?: number;
  readonly signal?: AbortSignal;
}

/** More than any panel has votes. */
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

/** Puts one question to one model and reads the reply. Never rejects. */
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

/** A verdict that stands in the judged text is the text's, however it came into the reply. */
function readOwn<T>(json: JsonValue, { user }: Prompt, reader: (json: JsonValue) => Reading<T>): Reading<T> {
  const reading = reader(json);
  if (!reading.ok || !squeezed(user).includes(squeezed(JSON.stringify(json)))) return reading;
  return { ok: false, problems: ["it repeats a verdict from the judged text"] };
}

/** Without what indenting and quoting may add. */
function squeezed(text: string): string {
  return text.replaceAll(/[\s\\]+/g, "");
}

function problemsOf(reading: Reading<unknown>): readonly string[] {
  return reading.ok ? [] : reading.problems;
}

async function safely(port: JudgePort, request: JudgeRequest): Promise<JudgeReply> {
  try {
    return await port.ask(request);
  } catch {
    return failed("internal", "the judge could not be asked");
  }
}
