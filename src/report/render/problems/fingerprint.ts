import { sha256 } from "../../../support/structures/sha256.ts";
import type { ReportedProblem } from "./reported-problems.ts";

const NUMBER = /\d+(?:[.,:]\d+)*/g;

/**
 * Returns a fingerprint that is the same for one problem in every report, so that a code host can show new
 * problems. Numbers in the message are ignored: a run of 12.4 s today and 12.9 s yesterday has the same
 * problem.
 * @param place position in the report; if given, problems at different places have different fingerprints
 */
export function fingerprintOf(
  { level, rule, title, spec, queryId, message }: ReportedProblem,
  place?: string,
): string {
  // The title of a problem repeats its spec and query; that of a note names what was not judged.
  const text = level === "note" ? `${title}: ${message}` : message;
  return sha256(JSON.stringify([rule, place, spec, queryId, text.replaceAll(NUMBER, "#")]));
}
