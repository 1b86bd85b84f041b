import type { JsonValue } from "../../model/json.ts";
import type { ToolCall } from "../../model/run.ts";
import { canonicalJson } from "../../support/structures/canonical-json.ts";
import { deepEqual } from "./sequences/deep-equal.ts";

/** EvalView's behaviour anomalies, as counts over the calls of a run. A call without a name equals no other call. */

/** Returns the number of failed calls that were made again (excessive retries). */
export function retries(calls: readonly ToolCall[]): number {
  return calls.filter(({ retried }) => retried).length;
}

/** Returns the number of tools whose last call failed (brittle recovery). */
export function unrecoveredErrors(calls: readonly ToolCall[]): number {
  const failed = new Map<string | ToolCall, boolean>();
  for (const call of calls) failed.set(call.name ?? call, call.error !== null);
  return [...failed.values()].filter(Boolean).length;
}

/**
 * Returns the number of calls that repeat an earlier successful call with equal arguments (progress stalls), even if other calls are in
 * between. Null if unknown arguments leave the count open.
 */
export function stalledCalls(calls: readonly ToolCall[]): number | null {
  const before = new Map<string, Succeeded>();
  let stalled = 0;
  for (const { name, arguments: given, error } of calls) {
    if (name === null) continue;
    const known = before.get(name);
    if (known !== undefined && (given === undefined || known.isBlind)) return null;
    const alike = known ?? new Succeeded(given === undefined);
    if (known === undefined) before.set(name, alike);
    if (given === undefined) continue;
    if (alike.has(given)) stalled++;
    else if (error === null) alike.add(given);
  }
  return stalled;
}

/** Arguments of the successful calls of one tool, each once. */
class Succeeded {
  /** True if the arguments of the tool's first call were not captured. */
  readonly isBlind: boolean;
  readonly #few: JsonValue[] = [];
  #many: Set<string> | undefined;

  constructor(isBlind: boolean) {
    this.isBlind = isBlind;
  }

  has(given: JsonValue): boolean {
    if (this.#many !== undefined) return this.#many.has(canonicalJson(given));
    return this.#few.some((one) => deepEqual(one, given));
  }

  add(given: JsonValue): void {
    if (this.#many !== undefined) this.#many.add(canonicalJson(given));
    else if (this.#few.push(given) > FEW) this.#many = new Set(this.#few.map(canonicalJson));
  }
}

/** Number of stored arguments up to which comparing values is faster than comparing JSON texts. */
const FEW = 8;
