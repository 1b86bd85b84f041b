import { deepEqual } from "../../../metrics/sequences/deep-equal.ts";
import { argumentsOf, type ComparedCall } from "../../../metrics/tool-call-accuracy.ts";
import type { Reason } from "../../../../model/verdict.ts";
import { short, textual } from "../../../rules/text.ts";

const MOST_PAIRS = 6;
const MOST_ARGUMENTS = 6;
const LONGEST_VALUE = 40;

/**
 * Pairs each expected call with the most similar actual call. Returns the pairs of different calls, then the actual calls without a
 * partner. A call is a text such as `search(page: 1)`.
 */
export function differingCalls(
  expected: readonly ComparedCall[],
  made: readonly ComparedCall[],
): readonly Reason[] {
  const paired = new Set<number>();
  const partners = expected.map((wanted) => {
    const at = bestFree(wanted, made, paired);
    if (at !== undefined) paired.add(at);
    return at;
  });
  const pairs = expected.flatMap((wanted, index): Reason[] => {
    const at = partners[index];
    const partner = at === undefined ? undefined : made[at];
    if (at === undefined || partner === undefined)
      return [{ code: "CALL_MISSING", step: null, expected: callText(wanted), actual: null }];
    if (isSame(wanted, partner)) return [];
    const texts = { expected: callText(wanted), actual: callText(partner) };
    return [{ code: "CALL_ARGUMENTS_MISMATCH", step: at + 1, ...texts }];
  });
  const others = made.flatMap((call, at): Reason[] =>
    paired.has(at) ? [] : [{ code: "CALL_UNEXPECTED", step: at + 1, expected: null, actual: callText(call) }],
  );
  return [...pairs, ...others];
}

/** Text in a message between the reasons and the pairs of calls. The pairs repeat the reasons. */
export const besideMark = "; expected | happened: ";

/**
 * Returns the first pairs of different calls as text, after `besideMark`, the expected call before the actual one:
 * `search(page: 1) | search(page: 2)`. Empty if no calls differ.
 */
export function callsSideBySide(differing: readonly Reason[]): string {
  if (differing.length === 0) return "";
  const pairs = differing
    .slice(0, MOST_PAIRS)
    .map(({ expected, actual }) => `${expected ?? "(not expected)"} | ${actual ?? "(not called)"}`);
  const rest = differing.length - pairs.length;
  return `${besideMark}${[...pairs, ...(rest > 0 ? [`and ${rest} more`] : [])].join("; ")}`;
}

/**
 * Returns the index of the unpaired call of the same tool with the most equal arguments (the first of several); undefined if there is none.
 */
function bestFree(
  wanted: ComparedCall,
  made: readonly ComparedCall[],
  paired: ReadonlySet<number>,
): number | undefined {
  let best: number | undefined;
  let most = -1;
  for (const [at, call] of made.entries()) {
    if (paired.has(at) || call.name !== wanted.name) continue;
    const equal = isSame(wanted, call) ? Infinity : equalArguments(wanted, call);
    if (equal > most) [best, most] = [at, equal];
  }
  return best;
}

function isSame(wanted: ComparedCall, call: ComparedCall): boolean {
  return call.name === wanted.name && deepEqual(argumentsOf(wanted), argumentsOf(call));
}

function equalArguments(wanted: ComparedCall, call: ComparedCall): number {
  const given = argumentsOf(call);
  return Object.entries(argumentsOf(wanted)).filter(([name, value]) => {
    const own = Object.hasOwn(given, name) ? given[name] : undefined;
    return own !== undefined && deepEqual(own, value);
  }).length;
}

/** Returns a call as text: `search(page: 1, q: "maps")`. Truncates long values and omits arguments after the sixth. */
function callText(call: ComparedCall): string {
  const { name } = call;
  const entries = Object.entries(argumentsOf(call));
  const shown = entries.slice(0, MOST_ARGUMENTS).map(([key, value]) => {
    const text = typeof value === "string" ? JSON.stringify(value) : textual(value, LONGEST_VALUE * 2);
    return `${key === "" ? "" : `${short(key)}: `}${text.length <= LONGEST_VALUE ? text : `${text.slice(0, LONGEST_VALUE)}…`}`;
  });
  if (entries.length > shown.length) shown.push("…");
  return `${name === null ? "(unnamed)" : short(name)}(${shown.join(", ")})`;
}
