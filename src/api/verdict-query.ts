import { outcomes } from "../model/outcome.ts";
import type { Problem } from "./problem.ts";
import type { VerdictFilter } from "./store.ts";

export interface VerdictQuery {
  readonly filter: VerdictFilter;
  readonly limit: number;
  readonly cursor: string | null;
}

const filters = ["outcome", "agent", "query", "spec", "trace", "run"] as const;
const known: readonly string[] = [...filters, "limit", "cursor"];
const defaultLimit = 50;
const mostLimit = 500;

/** Reads the parameters of a list of verdicts. A name that is not known is an error: ignored, it would show the wrong list. */
export function parseVerdictQuery(parameters: URLSearchParams): VerdictQuery | Problem {
  for (const name of parameters.keys()) {
    if (!known.includes(name)) return badParameter(name, "is not known", `Use ${known.join(", ")}.`);
    if (parameters.getAll(name).length > 1) return badParameter(name, "is given twice", "Give it once.");
  }
  const outcome = parameters.get("outcome");
  if (outcome !== null && !outcomes.some((one) => one === outcome)) {
    return badParameter("outcome", `is "${outcome}"`, `Use one of ${outcomes.join(", ")}.`);
  }
  const limit = Number(parameters.get("limit") ?? defaultLimit);
  if (!Number.isInteger(limit) || limit < 1 || limit > mostLimit) {
    return badParameter(
      "limit",
      `is "${parameters.get("limit")}"`,
      `Use a whole number from 1 to ${mostLimit}.`,
    );
  }
  const given = filters.flatMap((name) => {
    const value = parameters.get(name);
    return value === null ? [] : [[name, value] as const];
  });
  return { filter: Object.fromEntries(given), limit, cursor: parameters.get("cursor") };
}

export function badParameter(name: string, why: string, fix: string): Problem {
  return { status: 400, what: `The parameter "${name}" cannot be used.`, why: `It ${why}.`, fix };
}
