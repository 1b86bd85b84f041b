import { z } from "zod";
import { type JsonValue, parseJson } from "../../model/json.ts";
import type { Finding } from "../../evaluate/checks/check.ts";
import { jsonValue } from "../../support/structures/json-schema.ts";

/** Maximum size of a result: bytes of a command's output, or characters of a module's JSON. Larger results are errors. */
export const MOST_REPLY_BYTES = 256 * 1024;
const LONGEST_MESSAGE = 2_000;

const reply = z.union([
  z.boolean(),
  z.looseObject({
    pass: z.boolean().exactOptional(),
    outcome: z.enum(["pass", "fail", "skip", "incomplete"]).exactOptional(),
    value: jsonValue.exactOptional(),
    message: z.string().exactOptional(),
    remedy: z.string().exactOptional(),
    missing: z.array(z.string()).exactOptional(),
    span_ids: z.array(z.string()).exactOptional(),
  }),
]);

const outcomes = { pass: "pass", fail: "violated", skip: "skip", incomplete: "incomplete" } as const;

/** Parses the result of a user check. A result in an undocumented format is an `error`. */
export function readReply(text: string): Finding {
  const json: JsonValue | undefined = parseJson(text);
  const read = reply.safeParse(json);
  if (json === undefined || !read.success)
    return broken("the result does not have the documented JSON format");
  const result = typeof read.data === "boolean" ? { pass: read.data } : read.data;
  const outcome = result.outcome ?? (result.pass === undefined ? undefined : result.pass ? "pass" : "fail");
  if (outcome === undefined) return broken("the result has neither `pass` nor `outcome`");
  const message = result.message ?? (outcome === "pass" ? "the check passed" : "the check did not pass");
  return {
    outcome: outcomes[outcome],
    value: result.value ?? null,
    message: message.slice(0, LONGEST_MESSAGE),
    ...(outcome === "incomplete" ? { missing: result.missing ?? [] } : {}),
    ...(result.remedy === undefined ? {} : { remedy: result.remedy.slice(0, LONGEST_MESSAGE) }),
    ...(result.span_ids === undefined ? {} : { spanIds: result.span_ids.slice(0, 100) }),
  };
}

/**
 * Returns the finding of a check that could not run or gave no valid result: an error of the check, neither a pass nor a failure of the
 * agent.
 */
export function broken(why: string): Finding {
  return {
    outcome: "error",
    value: null,
    message: `the check gave no usable result: ${why.slice(0, LONGEST_MESSAGE)}`,
    remedy: "fix the check, or give it more time with `timeout_ms`",
  };
}
