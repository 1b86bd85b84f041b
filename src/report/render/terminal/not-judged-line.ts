import { printable } from "./printable.ts";
import type { NotJudged } from "../../../model/not-judged.ts";

/**
 * Returns a line with the checks that options left out, such as `not judged: llm_judge in 3 of 4 verdicts:
 * judges are off (--judge off)`. Returns null if no check was left out.
 * @param of total number in the line, here 4
 * @param noun plural noun of the total, here `verdicts`
 */
export function notJudgedLine(notJudged: readonly NotJudged[], of: number, noun: string): string | null {
  if (notJudged.length === 0) return null;
  const reasons = [...new Set(notJudged.map(({ reason }) => reason))];
  const parts = reasons.map((reason) => {
    const own = notJudged.filter((one) => one.reason === reason);
    const counts = own.map(({ check, verdicts }) => `${printable(check)} in ${verdicts} of ${of} ${noun}`);
    return `${counts.join(", ")}: ${reason}`;
  });
  return `not judged: ${parts.join("; ")}`;
}
