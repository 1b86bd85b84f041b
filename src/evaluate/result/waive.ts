import type { CheckResult } from "../../model/verdict.ts";
import type { CompiledQuery, CompiledSpec } from "../query/compiled.ts";
import { keepingFaults } from "./faults.ts";

type Waiver = CompiledSpec["waivers"][number];

/**
 * Returns a function that applies a spec's waivers to results of one query: a waived violation becomes a warning with owner and reason.
 * After the waiver's last day, the violation counts again, and its message has the date. Undefined if no waiver applies to the query.
 */
export function waiving(
  query: CompiledQuery,
  waivers: readonly Waiver[],
  today: string,
): ((result: CheckResult) => CheckResult) | undefined {
  const own = waivers.filter((waiver) => isAbout(waiver, query));
  return own.length === 0 ? undefined : (result) => waived(result, own, today);
}

function isAbout({ query: name }: Waiver, { id, text }: CompiledQuery): boolean {
  return name === undefined || name === id || name === text;
}

function waived(result: CheckResult, waivers: readonly Waiver[], today: string): CheckResult {
  if (result.outcome !== "fail" && result.outcome !== "warn") return result;
  const covering = waivers.filter(
    ({ check }) => check === undefined || check === result.check || check === result.layer,
  );
  const holding = covering.find(({ expires }) => today <= expires);
  if (holding !== undefined) {
    const { owner, reason, expires } = holding;
    return {
      ...keepingFaults(result),
      outcome: "warn",
      message: `waived until ${expires} by ${owner} (${reason}): ${result.message}`,
      waiver: { owner, reason, expires },
    };
  }
  const [expired] = covering;
  if (expired === undefined) return result;
  return {
    ...keepingFaults(result),
    message: `${result.message} (the waiver of ${expired.owner} expired on ${expired.expires})`,
  };
}
