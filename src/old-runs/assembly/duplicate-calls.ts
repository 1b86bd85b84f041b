import type { LlmCall } from "../fragments/llm-call.ts";

/**
 * One response id, one scope's call within another scope's with the same output, or a record of no length right behind another scope's call with
 * the same input: the richer of the two stays. `calls`: by start. Each is
 * compared only with what may be the same: the first of another scope with its id or output.
 * @param onDuplicate is given each call that is left out, with the one that stays for it so far
 */
export function withoutDuplicates(
  calls: LlmCall[],
  onDuplicate?: (stays: LlmCall, leftOut: LlmCall) => void,
): LlmCall[] {
  const scope = calls[0]?.node.span.scopeName;
  if (calls.every((call) => call.node.span.scopeName === scope)) return calls;
  const kept: LlmCall[] = [];
  const byId = new Kept();
  const byOutput = new Kept();
  const byInput = new Kept();
  for (const call of calls) {
    const id = call.field("responseId");
    const { input, output } = call.counts;
    const duplicate = Math.min(
      id === undefined ? Infinity : byId.first(id, call, isAny),
      output === undefined ? Infinity : byOutput.first(output, call, isWithin),
      input === undefined ? Infinity : byInput.first(input, call, isRecordOf),
    );
    const other = kept[duplicate];
    if (other !== undefined && richness(other) >= richness(call)) {
      onDuplicate?.(other, call);
      continue;
    }
    if (other !== undefined) onDuplicate?.(call, other);
    const place = other === undefined ? kept.length : duplicate;
    if (other !== undefined) for (const index of [byId, byOutput, byInput]) index.delete(other);
    kept[place] = call;
    if (id !== undefined) byId.add(id, call, place);
    if (output !== undefined) byOutput.add(output, call, place);
    if (input !== undefined) byInput.add(input, call, place);
  }
  return kept;
}

function richness({ inputs, outputs }: LlmCall): number {
  return inputs.length + outputs.length;
}

function isAny(): "yes" {
  return "yes";
}

type Same = (call: LlmCall, other: LlmCall) => "yes" | "no" | "over";

/** One within the other; "over" when neither this nor any later call can be. `other`: of those that began before. */
function isWithin(call: LlmCall, other: LlmCall): "yes" | "no" | "over" {
  if (other.end >= call.end || other.start === call.start) return "yes";
  return other.end < call.start ? "over" : "no";
}

/**
 * A stream that was recorded when it was over: a span of no length beside the one that shows the call's time. No model answers so fast.
 */
function isRecordOf(call: LlmCall, other: LlmCall): "yes" | "no" | "over" {
  const pauseMs = call.start - other.end;
  if (pauseMs > MOST_MS_BEHIND) return "over";
  const isMoment = call.end - call.start < MOMENT_MS && other.end - other.start >= MOMENT_MS;
  return isMoment && pauseMs >= 0 && call.node.parent === other.node.parent ? "yes" : "no";
}

const MOST_MS_BEHIND = 5;
const MOMENT_MS = 5;

interface Entry {
  readonly call: LlmCall;
  readonly place: number;
}

/** Calls that stay so far, by what another may have in common with them, and by scope. */
class Kept {
  readonly #byKey = new Map<string | number, Map<string, Entry[]>>();
  readonly #gone = new Set<LlmCall>();

  add(key: string | number, call: LlmCall, place: number): void {
    let scopes = this.#byKey.get(key);
    if (scopes === undefined) this.#byKey.set(key, (scopes = new Map()));
    const { scopeName } = call.node.span;
    const entries = scopes.get(scopeName);
    if (entries === undefined) scopes.set(scopeName, [{ call, place }]);
    else entries.splice(entries.findLastIndex((one) => one.place < place) + 1, 0, { call, place });
  }

  delete(call: LlmCall): void {
    this.#gone.add(call);
  }

  /** The lowest place of a call of another scope that is the same; Infinity when there is none. */
  first(key: string | number, call: LlmCall, isSame: Same): number {
    let first = Infinity;
    for (const [scope, entries] of this.#byKey.get(key) ?? []) {
      if (scope === call.node.span.scopeName) continue;
      first = Math.min(first, this.#firstOf(entries, call, isSame));
    }
    return first;
  }

  #firstOf(entries: Entry[], call: LlmCall, isSame: Same): number {
    let left = 0;
    for (const [at, entry] of entries.entries()) {
      const told = this.#gone.has(entry.call) ? "over" : isSame(call, entry.call);
      if (told === "over") continue;
      if (at > left) entries[left] = entry;
      left++;
      if (told === "no") continue;
      entries.splice(left, at + 1 - left);
      return entry.place;
    }
    entries.length = left;
    return Infinity;
  }
}
