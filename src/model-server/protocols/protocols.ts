import { anthropicMessages } from "./anthropic-messages/anthropic-messages.ts";
import { geminiGenerate } from "./gemini-generate/gemini-generate.ts";
import { openAiChat } from "./openai-chat/openai-chat.ts";
import { openAiResponses } from "./openai-responses/openai-responses.ts";
import type { Protocol } from "./protocol.ts";

/** All supported API formats. */
export const protocols: readonly Protocol[] = [
  openAiChat,
  openAiResponses,
  anthropicMessages,
  geminiGenerate,
];
