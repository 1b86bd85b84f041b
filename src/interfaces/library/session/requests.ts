import { z } from "zod";

const id = z.int().min(0).describe("Id of the request; the response has the same id");

/**
 * Schema of the requests that a plug-in of a test runner sends. Each request is a JSON object on one line.
 */
export const requestSchema = z.discriminatedUnion("method", [
  z.strictObject({
    id,
    method: z.literal("queries").describe("Returns the queries of spec files"),
    specs: z.array(z.string()).min(1),
  }),
  z.strictObject({
    id,
    method: z
      .literal("begin")
      .describe("Starts a call of the agent: telemetry from now on belongs to that call"),
  }),
  z.strictObject({
    id,
    method: z
      .literal("finish")
      .describe("Ends the call, whose exporter has been flushed, and returns the runs of the call"),
    wait_ms: z.int().min(0).max(600_000).describe("Maximum wait for a complete run, in milliseconds"),
    answer: z
      .string()
      .describe(
        "Return value of the call; if the telemetry lacks the answer of the call's only run, it is this value",
      )
      .exactOptional(),
  }),
  z.strictObject({
    id,
    method: z
      .literal("judge")
      .describe("Evaluates runs of earlier calls of the agent by one query of a spec"),
    runs: z.array(z.string()).min(1).describe("Run ids"),
    spec: z.string(),
    query: z.string().describe("Id of the query"),
  }),
  z.strictObject({
    id,
    method: z.literal("check").describe("One assertion about a run of an earlier call of the agent"),
    run: z.string(),
    check: z.discriminatedUnion("name", [
      z.strictObject({ name: z.literal("uses_tools"), expected: z.array(z.string()) }),
      z.strictObject({ name: z.literal("uses_exactly_tools"), expected: z.array(z.string()) }),
      z.strictObject({ name: z.literal("hands_off_to"), expected: z.array(z.string()) }),
      z.strictObject({ name: z.literal("answers_with"), expected: z.string() }),
      z.strictObject({ name: z.literal("costs_less_than"), expected: z.number() }),
      z.strictObject({ name: z.literal("uses_fewer_tokens_than"), expected: z.number() }),
    ]),
  }),
]);

export type SessionRequest = z.infer<typeof requestSchema>;
export type RequestOf<Method extends SessionRequest["method"]> = Extract<SessionRequest, { method: Method }>;
