import { z } from "zod";
import { jsonObject, jsonValue } from "../../support/structures/json-schema.ts";

const count = z.int().min(0).nullable();

const call = z.strictObject({ id: z.string().optional(), name: z.string(), arguments: jsonValue.optional() });

const message = z.strictObject({
  role: z.enum(["user", "assistant", "tool"]),
  name: z.string().optional(),
  text: z.string().optional(),
  calls: z.array(call).optional(),
  results: z
    .array(
      z.strictObject({
        call: z.string().optional(),
        name: z.string().optional(),
        content: jsonValue.optional(),
        is_error: z.literal(true).optional(),
      }),
    )
    .optional(),
});

const answer = z.strictObject({
  model: z.string().nullable(),
  text: z.string().optional(),
  reasoning: z.string().optional(),
  refusal: z.string().optional(),
  calls: z.array(call).optional(),
  finish: z.enum(["stop", "length", "tool_call", "content_filter", "error"]).nullable(),
  usage: z.strictObject({
    input: count,
    output: count,
    cached: count.optional(),
    cache_write: count.optional(),
    cache_write_1h: count.optional(),
    reasoning: count.optional(),
  }),
  service_tier: z.string().optional(),
});

const tool = z.strictObject({
  name: z.string(),
  description: z.string().optional(),
  parameters: jsonValue.optional(),
});

/**
 * A recorded run in a file of its own. A system prompt or list of tools that several calls use is written once; the calls contain its
 * number, from 1.
 */
export const cassetteSchema = z.strictObject({
  cassette: z.literal(1),
  query: z.string(),
  agent: z.string().nullable(),
  service: z.string().nullable(),
  run: z.string(),
  redacted: z.enum(["none", "secrets", "all"]),
  tokens: count,
  cost_usd: z.number().nullable(),
  prompts: z.array(z.string()),
  toolsets: z.array(z.array(tool)),
  calls: z.array(
    z.strictObject({
      agent: z.string().optional(),
      model: z.string().nullable(),
      prompt: z.int().min(1).optional(),
      tools: z.int().min(1).optional(),
      more_tools: z
        .literal(true)
        .describe("The model may have been offered more tools than this list contains")
        .optional(),
      parameters: jsonObject.optional(),
      after: z
        .int()
        .min(1)
        .describe("Number of an earlier call; this call's history begins with that call's history")
        .optional(),
      messages: z.array(message).nullable(),
      answer: answer.optional(),
      error: z.string().optional(),
    }),
  ),
});

export type CassetteDocument = z.infer<typeof cassetteSchema>;
export type CassetteCall = CassetteDocument["calls"][number];
export type CassetteMessage = z.infer<typeof message>;
export type CassetteAnswer = z.infer<typeof answer>;

/** Suffix of cassette files. */
export const CASSETTE_ENDING = ".cassette.yaml";
