import type { LlmCall } from "../fragments/llm-call.ts";

/**
 * One response id, or one scope's call within another scope's with the same output: the richer of the two stays. `calls`: by start. Each is
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
  for (const call of calls) {
    const id = call.field("responseId");
    const { output } = call.counts;
    const duplicate = Math.min(
      id === undefined ? Infinity : byId.first(id, call, isAny),
      output === undefined ? Infinity : byOutput.first(output, call, isWithin),
    );
    const other = kept[duplicate];
    if (other !== undefined && richness(other) >= richness(call)) {
      onDuplicate?.(other, call);
      continue;
    }
    if (other !== undefined) onDuplicate?.(call, other);
    const place = other === undefined ? kept.length : duplicate;
    if (other !== undefined) for (const index of [byId, byOutput]) index.delete(other);
    kept[place] = call;
    if (id !== undefined) byId.add(id, call, place);
    if (output !== undefined) byOutput.add(output, call, place);
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
