import { decidingChecks } from "../../report/json/deciding-checks.ts";
import type { VerdictJson } from "../../report/json/verdict-schema.ts";
import type { DecidedBy } from "../read/stored.ts";

/** Longest text of a reason, in characters: it stands in an index. */
const LONGEST_REASON = 200;
const MOST_CHECKS = 12;

/** What made a verdict something else than a pass; undefined where it is one, or nothing was asserted. */
export function decidedBy(verdict: VerdictJson): DecidedBy | undefined {
  if (verdict.outcome === "pass" || verdict.outcome === "skip") return undefined;
  const deciding = decidingChecks(verdict);
  if (deciding.length === 0) return { checks: ["error"], text: shortened(verdict.error ?? "") };
  return {
    checks: [...new Set(deciding.map(({ check }) => check))].slice(0, MOST_CHECKS),
    text: shortened([...new Set(deciding.map(({ message }) => message))].join("; ")),
  };
}

function shortened(text: string): string {
  return text.length > LONGEST_REASON ? `${text.slice(0, LONGEST_REASON - 1)}…` : text;
}
