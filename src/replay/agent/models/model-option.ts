import { UserError } from "../../../support/process/io.ts";

/** Parsed value of `--models`. */
export type ModelChoice =
  | { readonly kind: "live" }
  | { readonly kind: "replay"; readonly dumps: readonly string[] }
  | { readonly kind: "record"; readonly file: string };

const forms = "write --models live, --models record:FILE, or one or more --models replay:DUMP";

/**
 * Combines the values of `--models` into one choice; null if `--models` was not given.
 * @throws UserError for an unknown value, and for values that exclude each other
 */
export function modelChoice(values: readonly string[]): ModelChoice | null {
  const [first] = values;
  if (first === undefined) return null;
  const dumps = values.map((value) => rest(value, "replay:"));
  if (dumps.every((dump) => dump !== null)) return { kind: "replay", dumps };
  if (values.length > 1) throw new UserError(`--models cannot be ${values.join(" and ")} at once`, forms);
  const file = rest(first, "record:");
  if (first === "live") return { kind: "live" };
  if (file !== null) return { kind: "record", file };
  throw new UserError(`--models ${first}: unknown value`, forms);
}

function rest(value: string, prefix: string): string | null {
  return value.startsWith(prefix) && value.length > prefix.length ? value.slice(prefix.length) : null;
}
