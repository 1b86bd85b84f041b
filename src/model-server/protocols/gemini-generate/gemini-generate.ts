import type { Protocol } from "../protocol.ts";
import { readFailure, writeFailure } from "./failure.ts";
import { ChunkReader, readAnswer } from "./read-answer.ts";
import { readRequest, serves } from "./read-request.ts";
import { writeAnswer, writeStream } from "./write-answer.ts";

/** Google's `generateContent` and `streamGenerateContent`, of the Gemini API and of Vertex AI. */
export const geminiGenerate: Protocol = {
  name: "gemini-generate",
  provider: "gcp.gen_ai",
  serves,
  readRequest,
  writeAnswer,
  writeStream,
  writeFailure,
  readAnswer,
  readStream: () => new ChunkReader(),
  readFailure,
};
