import { z } from "zod";
import { outcomes } from "../../../model/outcome.ts";
import { parseDuration } from "../../../config/quantities.ts";

export const outcome = z.enum(outcomes).describe("One of the six outcomes");
/** Returns the schema of `limit`, the maximum number of results. */
export const limitUpTo = (most: number, otherwise: number): z.ZodDefault<z.ZodCoercedNumber> => {
  const fix = `Use a whole number from 1 to ${most}`;
  return z.coerce.number(fix).int(fix).min(1, fix).max(most, fix).default(otherwise);
};
export const limit = limitUpTo(500, 50);
export const cursor = z.string().describe("`next` of the previous page");
export const agent = z.string().describe("Case, separators and dots of the name are ignored");
/** Returns the schema of a parameter that can be repeated. A result matches the parameter if it has one of the values. */
export const repeatable = <Value extends z.ZodType>(value: Value): z.ZodOptional<z.ZodArray<Value>> =>
  z.array(value).max(50, "Repeat the parameter at most 50 times").optional();
export const moment = z
  .string()
  .refine(
    (text) => timeOf(text, 0) !== undefined,
    "Use a date and time, Unix milliseconds, or a duration such as 24h, counted back from now",
  )
  .describe("Date and time, Unix milliseconds, or a duration such as 24h, counted back from now");

/**
 * Converts a date, a number of Unix milliseconds, or a duration before now into Unix milliseconds. Returns undefined for any other text.
 */
function timeOf(text: string, nowUnixMs: number): number | undefined {
  if (/^\d{10,16}$/.test(text)) return Number(text);
  const back = parseDuration(text);
  if (back !== undefined) return nowUnixMs - back;
  const time = /^\d{4}-\d\d/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}

/** Returns `since` and `until` in Unix milliseconds. An absent parameter is absent in the result, too. */
export function timesOf(
  { since, until }: { readonly since?: string | undefined; readonly until?: string | undefined },
  nowUnixMs: number,
): { readonly since?: number; readonly until?: number } {
  const from = since === undefined ? undefined : timeOf(since, nowUnixMs);
  const to = until === undefined ? undefined : timeOf(until, nowUnixMs);
  return { ...(from === undefined ? {} : { since: from }), ...(to === undefined ? {} : { until: to }) };
}
