import type {
  JudgePort,
  JudgeReplied,
  JudgeReply,
  JudgeRequest,
  JudgeUsage,
} from "../../evaluate/judge/ask/port.ts";
import type { JsonValue } from "../../model/json.ts";
import { sha256 } from "../../support/structures/sha256.ts";
import type { CacheEntry, VerdictCache } from "./cache-file.ts";

export interface CachedOptions {
  /**
   * Receives, for each reply from the cache or from a concurrent equal request, the model and the usage of the original call; null if the
   * usage is unknown.
   */
  readonly onKept?: ((model: string, usage: JudgeUsage | null) => void) | undefined;
  /** Returns the address of a model's provider. If set, a cached reply is valid only for the address from which the reply came. */
  readonly addressOf?: ((model: string) => string) | undefined;
}

/**
 * Answers repeated requests from a cache, and sends concurrent equal requests only once. A reply is cached if the request's `check` finds
 * no problem.
 */
export function cached(
  port: JudgePort,
  cache: VerdictCache,
  { onKept = () => undefined, addressOf }: CachedOptions = {},
): JudgePort {
  const underWay = new Map<string, Promise<JudgeReply>>();
  const ask = async (request: JudgeRequest): Promise<JudgeReply> => {
    const key = cacheKey(request, addressOf?.(request.model));
    const kept = cache.get(key);
    if (kept !== undefined && request.check(kept.reply).length === 0) {
      onKept(request.model, kept.usage ?? null);
      return fromCache(kept.reply);
    }
    const same = underWay.get(key);
    if (same !== undefined) return afterSame(await same, request);
    const asking = port.ask(request);
    underWay.set(key, asking);
    try {
      const reply = await asking;
      if (reply.ok && request.check(reply.json).length === 0) cache.put(entryOf(key, request, reply));
      return reply;
    } finally {
      underWay.delete(key);
    }
  };
  /** Returns the reply to a concurrent equal request. If the caller of that request cancelled it, sends the request again. */
  const afterSame = async (reply: JudgeReply, request: JudgeRequest): Promise<JudgeReply> => {
    if (reply.ok) {
      onKept(request.model, reply.usage);
      return { ...reply, cached: true, durationMs: 0 };
    }
    return reply.errorType === "cancelled" && request.signal?.aborted !== true ? ask(request) : reply;
  };
  return { unavailable: (model) => port.unavailable(model), ask };
}

function fromCache(json: JsonValue): JudgeReply {
  return {
    ok: true,
    json,
    usage: { input: 0, output: 0, cached: 0 },
    durationMs: 0,
    cached: true,
    cutOff: false,
  };
}

function entryOf(key: string, request: JudgeRequest, { json, usage }: JudgeReplied): Omit<CacheEntry, "v"> {
  const { model, rubric, promptHash } = request;
  return {
    key,
    model,
    rubric,
    prompt_hash: promptHash,
    content_hash: sha256(request.user).slice(0, 16),
    usage,
    reply: json,
  };
}

/** Returns the cache key: 64 hex digits, a hash of model, rubric, prompt, judged text, settings and, if given, the provider's address. */
function cacheKey(request: JudgeRequest, address?: string): string {
  const { model, rubric, promptHash, system, user, schema, maxTokens, temperature, structured, sample } =
    request;
  return sha256(
    JSON.stringify([
      1,
      model,
      rubric,
      promptHash,
      system,
      user,
      schema,
      maxTokens,
      temperature,
      structured,
      sample,
      ...(address === undefined ? [] : [address]),
    ]),
  );
}
