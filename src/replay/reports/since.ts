import { parseDuration } from "../../config/quantities.ts";
import { UserError } from "../../support/process/io.ts";
import type { ReportInput } from "./report-inputs.ts";

/** Start of a period: a time, or a duration that is subtracted from the start of the newest run. */
type Since = { readonly unixMs: number } | { readonly agoMs: number };

/**
 * Parses `"30d"`, `"12h"`, or a date with or without a time.
 * @throws UserError for other texts
 */
export function parseSince(text: string): Since {
  const agoMs = parseDuration(text);
  if (agoMs !== undefined) return { agoMs };
  const unixMs = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(unixMs))
    throw new UserError(
      `--since ${text} is not a time`,
      "write a duration such as 30d or 12h, or a date: 2026-11-17",
    );
  return { unixMs };
}

/**
 * Returns the start of the period in Unix milliseconds.
 * @param newestUnixMs start of the newest run
 */
export function momentOf(since: Since, newestUnixMs: number): number {
  return "unixMs" in since ? since.unixMs : newestUnixMs - since.agoMs;
}

/** Returns the runs that started in the period. Ignores runs with an unknown start. */
export function inputsSince(inputs: readonly ReportInput[], since: Since): readonly ReportInput[] {
  const newest = inputs.reduce((latest, { unixMs }) => Math.max(latest, unixMs ?? -Infinity), -Infinity);
  const from = momentOf(since, newest);
  return inputs.filter(({ unixMs }) => unixMs !== null && unixMs >= from);
}
