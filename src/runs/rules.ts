/**
 * Rules of the reader that can be switched off one by one, so that `npm run rules` measures what each is worth. A rule asks `ruleIsOn` where it
 * would act, and does nothing when it is off.
 */
export const ruleNames = [
  "inference",
  "events",
  "agent-chains",
  "record-runs",
  "recorded-prompts",
  "model-of-agent",
  "attached-records",
  "housekeeping",
  "other-operations",
] as const satisfies readonly string[];

export type RuleName = (typeof ruleNames)[number];

const none: ReadonlySet<string> = new Set();
let switchedOff = none;

/** Whether the rule acts; every rule does unless `switchRules` names it. */
export function ruleIsOn(name: RuleName): boolean {
  return switchedOff === none || !switchedOff.has(name);
}

/**
 * Switches off the named rules and all others on, for the whole process. To be called before the first run is read: what was derived from spans
 * and is kept for later ones does not change.
 * @throws Error when a name is not one of `ruleNames`
 */
export function switchRules(off: ReadonlySet<string>): void {
  const names: ReadonlySet<string> = new Set(ruleNames);
  const unknown = [...off].filter((name) => !names.has(name));
  if (unknown.length > 0)
    throw new Error(`no rule is called ${unknown.join(", ")}; the rules are ${[...names].join(", ")}`);
  switchedOff = off.size === 0 ? none : off;
}
