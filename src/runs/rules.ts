/**
 * Names of the rules for reading telemetry that can be switched off. `npm run rules` measures the effect of each rule by switching it off.
 * The code of a rule runs only if `ruleIsOn` returns true.
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

/** Whether a rule is on. All rules are on, except those that `switchRules` switched off. */
export function ruleIsOn(name: RuleName): boolean {
  return switchedOff === none || !switchedOff.has(name);
}

/**
 * Switches the named rules off and all other rules on, for the whole process. Call it before the first run is read: cached field plans are
 * not updated.
 * @throws Error when a name is not one of `ruleNames`
 */
export function switchRules(off: ReadonlySet<string>): void {
  const names: ReadonlySet<string> = new Set(ruleNames);
  const unknown = [...off].filter((name) => !names.has(name));
  if (unknown.length > 0)
    throw new Error(`unknown rule ${unknown.join(", ")}; the rules are ${[...names].join(", ")}`);
  switchedOff = off.size === 0 ? none : off;
}
