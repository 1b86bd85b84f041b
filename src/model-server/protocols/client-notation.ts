import { anthropicMessages } from "./anthropic-messages/anthropic-messages.ts";
import { geminiGenerate } from "./gemini-generate/gemini-generate.ts";
import { openAiChat } from "./openai-chat/openai-chat.ts";
import type { Protocol } from "./protocol.ts";

type Headers = Readonly<Record<string, unknown>>;

const anthropicPath = /\/messages(?:\/|$)/;
const geminiPath = /\/v1(?:beta|alpha)\d*\/|\/(?:models|tunedModels)\/[^/]+:\w+$/;

/**
 * Returns the API format in which a client expects errors, even for requests that are not model calls. A header that only one provider's
 * client sends decides first, then the path. If neither shows the provider, the format is OpenAI's.
 */
export function clientNotation(path: string, headers: Headers): Protocol {
  if (headers["anthropic-version"] !== undefined) return anthropicMessages;
  if (headers["x-goog-api-key"] !== undefined || headers["x-goog-api-client"] !== undefined)
    return geminiGenerate;
  if (geminiPath.test(path)) return geminiGenerate;
  // `messages` alone does not mean Anthropic: OpenAI's paths for threads contain it, too.
  return anthropicPath.test(path) && !path.includes("/threads/") ? anthropicMessages : openAiChat;
}
