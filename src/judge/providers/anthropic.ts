import Anthropic, { APIConnectionError, APIError, APIUserAbortError } from "@anthropic-ai/sdk";
import { extractJson } from "../../evaluate/judge/reply/extract-json.ts";
import {
  failed,
  type JudgeFailed,
  type JudgeReply,
  type JudgeRequest,
  type JudgeUsage,
} from "../../evaluate/judge/ask/port.ts";
import { isObject, type JsonValue } from "../../model/json.ts";
import { boundedFetch, httpFailure, networkFailure } from "./http.ts";
import type { Endpoint, Provider } from "./provider.ts";
import { redactJson } from "../redact.ts";

const SDK_TIMEOUT_MS = 600_000;
const MAX_EXCHANGES = 3;

/** Request parameters that a model supports, learned from its error responses. */
interface Habits {
  readonly format: boolean;
  readonly temperature: boolean;
}

/**
 * Provider of Claude models through Anthropic's library, with structured output and cached instructions. Retries and spans of the library
 * are disabled.
 */
export function anthropicProvider(endpoint: Endpoint): Provider {
  const client = makeClient(endpoint);
  const known = new Map<string, Habits>();
  return {
    ask: async (model, request) => {
      const started = endpoint.now();
      let habits = known.get(model) ?? { format: request.structured, temperature: true };
      for (let left = MAX_EXCHANGES; ; left--) {
        try {
          // `client.messages.create` sends the same request, but prints model warnings on the console whatever `logLevel` is.
          const body = paramsOf(model, request, habits);
          const message = await client.post<unknown>("/v1/messages", { body, ...optionsOf(request) });
          known.set(model, habits);
          return { ...readMessage(endpoint, message), durationMs: endpoint.now() - started };
        } catch (error) {
          const next = left > 1 ? habitsAfter(habits, error) : null;
          if (next === null)
            return { ...failureOf(endpoint, error, request), durationMs: endpoint.now() - started };
          habits = next;
        }
      }
    },
  };
}

function makeClient(endpoint: Endpoint): Anthropic {
  const bearer = endpoint.auth === "bearer";
  return new Anthropic({
    // With a placeholder instead of a missing key, the library does not search for credentials.
    ...(bearer ? { authToken: endpoint.key ?? "none" } : { apiKey: endpoint.key ?? "none" }),
    baseURL: (endpoint.baseUrl ?? "https://api.anthropic.com").replace(/\/+$/, "").replace(/\/v1$/, ""),
    maxRetries: 0,
    timeout: SDK_TIMEOUT_MS,
    openTelemetry: false,
    logLevel: "off",
    fetch: boundedFetch(withKey(endpoint)),
  });
}

/**
 * Returns a fetch that sends no key if none is configured, and sends `x-api-key` to gateways that need this header instead of a bearer
 * token.
 */
function withKey({ key, auth, fetch: inner }: Endpoint): typeof fetch {
  if (key !== null && auth !== "api-key") return inner;
  return async (input, init) => {
    const headers = new Headers(init?.headers);
    headers.delete("authorization");
    if (key !== null) headers.set("x-api-key", key);
    return inner(input, { ...init, headers });
  };
}

function paramsOf(
  model: string,
  request: JudgeRequest,
  habits: Habits,
): Anthropic.Messages.MessageCreateParamsNonStreaming {
  return {
    model,
    max_tokens: request.maxTokens,
    system: [{ type: "text", text: request.system, cache_control: { type: "ephemeral" } }],
    messages: [{ role: "user", content: contentFor(request) }],
    ...(habits.temperature ? { temperature: request.temperature } : {}),
    ...(habits.format ? { output_config: { format: { type: "json_schema", schema: request.schema } } } : {}),
  };
}

/**
 * Returns the message with a cache breakpoint after the reference text, which is the same for all runs under a rubric. From the second run
 * on, the provider reads the reference text from its cache.
 */
function contentFor({ user, userPrefix = "" }: JudgeRequest): string | Anthropic.Messages.TextBlockParam[] {
  if (userPrefix === "" || !user.startsWith(userPrefix)) return user;
  return [
    { type: "text", text: userPrefix, cache_control: { type: "ephemeral" } },
    { type: "text", text: user.slice(userPrefix.length) },
  ];
}

function optionsOf(request: JudgeRequest): { signal?: AbortSignal } {
  return request.signal === undefined ? {} : { signal: request.signal };
}

function habitsAfter(habits: Habits, error: unknown): Habits | null {
  if (!(error instanceof APIError) || (error.status !== 400 && error.status !== 422)) return null;
  const errorText = JSON.stringify(error.error ?? "");
  if (/too long|too large/i.test(errorText)) return null;
  if (habits.temperature && /temperature/i.test(errorText)) return { ...habits, temperature: false };
  if (habits.format && /output_|schema|format|structured/i.test(errorText))
    return { ...habits, format: false };
  return null;
}

function failureOf(endpoint: Endpoint, error: unknown, request: JudgeRequest): JudgeFailed {
  const aborted = request.signal?.aborted === true || error instanceof APIUserAbortError;
  if (aborted || error instanceof APIConnectionError || !(error instanceof APIError))
    return networkFailure(endpoint, error, aborted);
  if (typeof error.status !== "number") return networkFailure(endpoint, error, false);
  return httpFailure(endpoint, error.status, error.headers ?? new Headers(), error.error);
}

function readMessage(endpoint: Endpoint, message: unknown): JudgeReply {
  const body = message as JsonValue;
  if (!isObject(body) || !Array.isArray(body["content"]))
    return {
      ...failed("invalid_reply", `${endpoint.name} sent a response that is not a message`),
      retryable: true,
    };
  if (body["stop_reason"] === "refusal") return failed("refused", `${endpoint.name} refused to judge`);
  const blocks: readonly JsonValue[] = body["content"];
  return {
    ok: true,
    json: contentOf(blocks, endpoint.key),
    usage: usageOf(body["usage"]),
    durationMs: 0,
    cached: false,
    cutOff: body["stop_reason"] === "max_tokens",
  };
}

function contentOf(blocks: readonly JsonValue[], key: string | null): JsonValue {
  const texts: string[] = [];
  for (const block of blocks) {
    if (!isObject(block)) continue;
    if (block["type"] === "tool_use" && isObject(block["input"])) return redactJson(block["input"], key);
    if (block["type"] === "text" && typeof block["text"] === "string") texts.push(block["text"]);
  }
  return redactJson(extractJson(texts.join("")), key);
}

/** Returns a response's token usage. `input` includes tokens read from and written to the cache. */
function usageOf(usage: JsonValue | undefined): JudgeUsage {
  const count = (name: string): number | null => {
    const value = isObject(usage) ? usage[name] : undefined;
    return typeof value === "number" && value >= 0 ? value : null;
  };
  const cached = count("cache_read_input_tokens");
  const fresh = count("input_tokens");
  const cacheWrite = count("cache_creation_input_tokens");
  const input = fresh === null ? null : fresh + (cached ?? 0) + (cacheWrite ?? 0);
  return { input, output: count("output_tokens"), cached, cacheWrite };
}
