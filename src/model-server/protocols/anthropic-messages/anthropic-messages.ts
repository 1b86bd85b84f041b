import type { Protocol } from "../protocol.ts";
import { readFailure, writeFailure } from "./failure.ts";
import { EventReader, readAnswer } from "./read-answer.ts";
import { readRequest } from "./read-request.ts";
import { writeAnswer, writeStream } from "./write-answer.ts";

/** Anthropic's Messages API. */
export const anthropicMessages: Protocol = {
  name: "anthropic-messages",
  provider: "anthropic",
  serves: (method, path) => method === "POST" && /(?:^|\/)messages$/.test(path),
  readRequest,
  writeAnswer,
  writeStream,
  writeFailure,
  readAnswer,
  readStream: () => new EventReader(),
  readFailure,
};
