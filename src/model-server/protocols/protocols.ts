import { anthropicMessages } from "./anthropic-messages/anthropic-messages.ts";
import { openAiChat } from "./openai-chat/openai-chat.ts";
import type { Protocol } from "./protocol.ts";

/** All notations that are served. */
export const protocols: readonly Protocol[] = [openAiChat, anthropicMessages];
