import { sha256 } from "../../../support/structures/sha256.ts";
import type { Problem } from "./problems.ts";

const NUMBER = /\d+(?:[.,:]\d+)*/g;

/**
 * The same for one problem in every report, so that a forge shows what is new. Numbers in the message do not count: a run that took 12.4 s
 * today and 12.9 s yesterday has one problem, not a new one.
 * @param place where the report puts the problem; problems at different places are then different
 */
export function fingerprintOf({ rule, spec, queryId, message }: Problem, place?: string): string {
  return sha256(JSON.stringify([rule, place, spec, queryId, message.replaceAll(NUMBER, "#")]));
}
