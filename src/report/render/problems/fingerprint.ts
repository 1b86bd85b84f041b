import { sha256 } from "../../../support/structures/sha256.ts";
import type { ReportedProblem } from "./reported-problems.ts";

const NUMBER = /\d+(?:[.,:]\d+)*/g;

/**
 * Returns a fingerprint by which a code host recognises the same problem in a later report. Numbers in the
 * message are ignored, so that `12.4 s` and `12.9 s` give equal fingerprints.
 * @param place file of the problem. Problems in different files have different fingerprints
 */
export function fingerprintOf(
  { level, rule, title, spec, queryId, message }: ReportedProblem,
  place?: string,
): string {
  // The title of a note is part of its content. The title of a problem only repeats spec and query, which are already part of the
  // fingerprint.
  const text = level === "note" ? `${title}: ${message}` : message;
  return sha256(JSON.stringify([rule, place, spec, queryId, text.replaceAll(NUMBER, "#")]));
}
