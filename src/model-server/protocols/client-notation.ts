import { anthropicMessages } from "./anthropic-messages/anthropic-messages.ts";
import { geminiGenerate } from "./gemini-generate/gemini-generate.ts";
import { openAiChat } from "./openai-chat/openai-chat.ts";
import type { Protocol } from "./protocol.ts";

type Headers = Readonly<Record<string, unknown>>;

const anthropicPath = /\/messages(?:\/|$)/;
const geminiPath = /\/v1(?:beta|alpha)\d*\/|\/(?:models|tunedModels)\/[^/]+:\w+$/;

/**
 * Returns the API format in which a client expects errors, also for requests that are not model calls. Headers of a provider's own client
 * decide first, then the path. Clients without a provider's header or path expect OpenAI's format.
 */
export function clientNotation(path: string, headers: Headers): Protocol {
  if (headers["anthropic-version"] !== undefined) return anthropicMessages;
  if (headers["x-goog-api-key"] !== undefined || headers["x-goog-api-client"] !== undefined)
    return geminiGenerate;
  if (geminiPath.test(path)) return geminiGenerate;
  // OpenAI's path for threads also contains `messages`.
  return anthropicPath.test(path) && !path.includes("/threads/") ? anthropicMessages : openAiChat;
}
