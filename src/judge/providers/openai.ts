import { z } from "zod";
import { extractJson } from "../../evaluate/judge/reply/extract-json.ts";
import {
  failed,
  type JudgeFailed,
  type JudgeReply,
  type JudgeRequest,
  type JudgeUsage,
} from "../../evaluate/judge/ask/port.ts";
import { documentBounds, parseJson } from "../../model/json.ts";
import { boundedFetch, httpFailure, networkFailure, notJson } from "./http.ts";
import type { Endpoint, Provider } from "./provider.ts";
import { redactJson } from "../redact.ts";

const VENDOR = "https://api.openai.com/v1";
const MAX_EXCHANGES = 6;

/**
 * Provider for servers with OpenAI's chat completions: OpenAI, Azure, Ollama, vLLM, LM Studio, OpenRouter. After a model rejects a
 * parameter, such as structured output or temperature, later requests omit the parameter.
 */
export function openaiProvider(endpoint: Endpoint): Provider {
  const send = boundedFetch(endpoint.fetch);
  const known = new Map<string, Habits>();
  let path = "";
  return {
    ask: async (model, request) => {
      const started = endpoint.now();
      let habits = known.get(model) ?? startingHabits(endpoint.baseUrl ?? VENDOR, request.structured);
      for (let left = MAX_EXCHANGES; ; left--) {
        const exchange = await post(endpoint, send, path, model, request, habits);
        const durationMs = endpoint.now() - started;
        if (exchange.reply !== null) {
          known.set(model, habits);
          return { ...exchange.reply, durationMs };
        }
        if (exchange.failure.errorType === "not_found" && path === "" && lacksVersion(endpoint.baseUrl)) {
          path = "/v1";
          continue;
        }
        const next = exchange.refused === null ? null : habitsAfter(habits, exchange.refused);
        if (next === null || left <= 1) return { ...exchange.failure, durationMs };
        habits = next;
      }
    },
  };
}

type Exchange =
  | { readonly reply: JudgeReply }
  | {
      readonly reply: null;
      readonly failure: JudgeFailed;
      /** Response body of a 400 or 422; null for other failures. */
      readonly refused: string | null;
    };

async function post(
  endpoint: Endpoint,
  send: typeof fetch,
  path: string,
  model: string,
  request: JudgeRequest,
  habits: Habits,
): Promise<Exchange> {
  try {
    const response = await send(chatUrl(endpoint.baseUrl ?? VENDOR, path), {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json", ...authorisation(endpoint) },
      body: JSON.stringify(bodyOf(model, request, habits)),
      ...(request.signal === undefined ? {} : { signal: request.signal }),
    });
    const body = await response.text();
    if (response.ok) return { reply: readCompletion(endpoint, body) };
    const failure = httpFailure(endpoint, response.status, response.headers, body);
    return {
      reply: null,
      failure,
      refused: response.status === 400 || response.status === 422 ? body : null,
    };
  } catch (error) {
    const failure = networkFailure(endpoint, error, request.signal?.aborted === true);
    return { reply: null, failure, refused: null };
  }
}

function chatUrl(base: string, path: string): URL {
  const url = new URL(base);
  url.pathname = `${url.pathname.replace(/\/+$/, "")}${path}/chat/completions`;
  return url;
}

function lacksVersion(base: string | null): boolean {
  return base !== null && new URL(base).pathname === "/";
}

function authorisation({ key, auth, baseUrl }: Endpoint): Record<string, string> {
  if (key === null) return {};
  const azure = baseUrl !== null && /\.azure\.com$/i.test(new URL(baseUrl).hostname);
  return (auth ?? (azure ? "api-key" : "bearer")) === "api-key"
    ? { "api-key": key }
    : { authorization: `Bearer ${key}` };
}

function bodyOf(model: string, request: JudgeRequest, habits: Habits): object {
  return {
    model,
    messages: [
      { role: "system", content: request.system },
      { role: "user", content: request.user },
    ],
    [habits.lengthKey]: request.maxTokens,
    ...(habits.temperature ? { temperature: request.temperature } : {}),
    ...(habits.seed && request.seed !== undefined ? { seed: request.seed } : {}),
    ...responseFormat(request, habits),
  };
}

function responseFormat({ schema }: JudgeRequest, { format }: Habits): object {
  if (format === "text") return {};
  if (format === "json_object") return { response_format: { type: "json_object" } };
  return {
    response_format: { type: "json_schema", json_schema: { name: "judgement", strict: true, schema } },
  };
}

const count = z.number().int().nonnegative().nullish();
const part = z.object({ text: z.string().nullish() });

const completion = z.object({
  choices: z
    .array(
      z.object({
        finish_reason: z.string().nullish(),
        message: z.object({
          content: z.union([z.string(), z.array(part)]).nullish(),
          refusal: z.string().nullish(),
        }),
      }),
    )
    .min(1),
  usage: z
    .object({
      prompt_tokens: count,
      completion_tokens: count,
      prompt_tokens_details: z.object({ cached_tokens: count }).nullish(),
    })
    .nullish(),
});

function readCompletion(endpoint: Endpoint, body: string): JudgeReply {
  const json = parseJson(body, documentBounds);
  if (json === undefined) return notJson(endpoint);
  const parsed = completion.safeParse(json);
  const choice = parsed.data?.choices[0];
  if (parsed.data === undefined || choice === undefined)
    return {
      ...failed("invalid_reply", `${endpoint.name} sent a response that is not a chat completion`),
      retryable: true,
    };
  const { message, finish_reason: finish } = choice;
  if (finish === "content_filter" || (message.refusal ?? "") !== "")
    return failed("refused", `${endpoint.name} refused to judge`);
  return {
    ok: true,
    json: redactJson(extractJson(withoutThoughts(textOf(message.content))), endpoint.key),
    usage: usageOf(parsed.data.usage),
    durationMs: 0,
    cached: false,
    cutOff: finish === "length",
  };
}

function textOf(content: z.infer<typeof completion>["choices"][number]["message"]["content"]): string {
  if (content == null) return "";
  return typeof content === "string" ? content : content.map((it) => it.text ?? "").join("");
}

/** Returns the text after the reasoning that some servers put before the reply; empty if the reasoning was truncated. */
function withoutThoughts(text: string): string {
  const start = text.trimStart();
  if (start.startsWith("{")) return text;
  const end = text.lastIndexOf("</think>");
  if (end < 0) return start.startsWith("<think>") ? "" : text;
  return text.slice(end + "</think>".length);
}

function usageOf(usage: z.infer<typeof completion>["usage"]): JudgeUsage {
  return {
    input: usage?.prompt_tokens ?? null,
    output: usage?.completion_tokens ?? null,
    cached: usage?.prompt_tokens_details?.cached_tokens ?? null,
  };
}

/** Request parameters that one model at one server supports. */
interface Habits {
  readonly format: "json_schema" | "json_object" | "text";
  readonly temperature: boolean;
  readonly seed: boolean;
  readonly lengthKey: "max_tokens" | "max_completion_tokens";
}

function startingHabits(baseUrl: string, structured: boolean): Habits {
  const vendor = new URL(baseUrl).hostname === "api.openai.com";
  return {
    format: structured ? "json_schema" : "text",
    temperature: true,
    seed: true,
    lengthKey: vendor ? "max_completion_tokens" : "max_tokens",
  };
}

/**
 * Returns the parameters for another attempt after status 400 or 422: without the parameter that `body` names (or with its other name),
 * otherwise with a simpler response format. Returns null if a further attempt cannot help: the provider reports that the request is too
 * long, or no simpler format exists.
 */
function habitsAfter(habits: Habits, body: string): Habits | null {
  if (/context.length|too long|too large/i.test(body)) return null;
  if (habits.temperature && /temperature/i.test(body)) return { ...habits, temperature: false };
  if (habits.seed && /\bseed\b/i.test(body)) return { ...habits, seed: false };
  if (habits.lengthKey === "max_tokens" && /max_completion_tokens/i.test(body))
    return { ...habits, lengthKey: "max_completion_tokens" };
  if (
    habits.lengthKey === "max_completion_tokens" &&
    /max_completion_tokens/i.test(body) &&
    !/max_tokens/i.test(body)
  )
    return { ...habits, lengthKey: "max_tokens" };
  if (habits.format === "json_schema") return { ...habits, format: "json_object" };
  if (habits.format === "json_object") return { ...habits, format: "text" };
  return null;
}
