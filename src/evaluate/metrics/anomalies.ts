import type { JsonValue } from "../../model/json.ts";
import type { ToolCall } from "../../model/run.ts";
import { canonicalJson } from "../../support/structures/canonical-json.ts";
import { deepEqual } from "./sequences/deep-equal.ts";

/** EvalView's behaviour anomalies, as counts over the calls of a run. A call without a name is like no other. */

/** Excessive retries: calls that failed and were made again. */
export function retries(calls: readonly ToolCall[]): number {
  return calls.filter(({ retried }) => retried).length;
}

/** Brittle recovery: tools whose last call ended in an error, so that nothing made up for it. */
export function unrecoveredErrors(calls: readonly ToolCall[]): number {
  const failed = new Map<string | ToolCall, boolean>();
  for (const call of calls) failed.set(call.name ?? call, call.error !== null);
  return [...failed.values()].filter(Boolean).length;
}

/**
 * Progress stalls: calls of a tool with the same arguments as an earlier call that succeeded, adjacent or not, so that they cannot return
 * anything new. Null when the arguments of two calls of one tool are not known.
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

/** Arguments with which calls of one tool had succeeded, each once. */
class Succeeded {
  /** The first call's arguments were not captured. */
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

/** Up to here comparing with each is faster than making texts of all. */
const FEW = 8;
