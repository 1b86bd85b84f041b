import { z } from "zod";
import { alwaysRules } from "../../pipeline/decisions.ts";
import { text } from "./values.ts";

const rate = z.number().min(0).max(1);

export const sampling = z.strictObject({
  rate: rate.describe("Share of the runs that are evaluated, by a hash of the trace id").default(1),
  agents: z.record(text, rate).describe("The same for single agents, by name").default({}),
  queries: z
    .record(text, rate)
    .describe("The same for single queries, by id; it wins over the agent's")
    .default({}),
  always: z
    .array(z.enum(alwaysRules))
    .describe("Runs that are evaluated whatever the rate")
    .default([...alwaysRules]),
});
