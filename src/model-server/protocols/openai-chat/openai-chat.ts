import { readOpenAiFailure, writeOpenAiFailure } from "../openai-failure.ts";
import type { Protocol } from "../protocol.ts";
import { ChunkReader, readAnswer } from "./read-answer.ts";
import { readRequest } from "./read-request.ts";
import { writeAnswer, writeStream } from "./write-answer.ts";

/** OpenAI's Chat Completions API. Many other providers and gateways use this API format, too. */
export const openAiChat: Protocol = {
  name: "openai-chat",
  provider: "openai",
  serves: (method, path) => method === "POST" && /(?:^|\/)chat\/completions$/.test(path),
  readRequest,
  writeAnswer,
  writeStream,
  writeFailure: writeOpenAiFailure,
  readAnswer,
  readStream: () => new ChunkReader(),
  readFailure: readOpenAiFailure,
};
