import { readOpenAiFailure, writeOpenAiFailure } from "../openai-failure.ts";
import type { Protocol } from "../protocol.ts";
import { EventReader, readAnswer } from "./read-answer.ts";
import { readRequest } from "./read-request.ts";
import { writeAnswer, writeStream } from "./write-answer.ts";

/** OpenAI's Responses API. */
export const openAiResponses: Protocol = {
  name: "openai-responses",
  provider: "openai",
  serves: (method, path) => method === "POST" && /(?:^|\/)responses$/.test(path),
  readRequest,
  writeAnswer,
  writeStream,
  writeFailure: writeOpenAiFailure,
  readAnswer,
  readStream: () => new EventReader(),
  readFailure: readOpenAiFailure,
};
