/** Rules of the reader that can be switched off, each alone, to measure what it is worth: `npm run rules`. */
export const ruleNames = [
  "inference",
  "events",
  "printed-objects",
  "inner-tools",
  "agent-chains",
  "agent-in-arguments",
] as const;

export type RuleName = (typeof ruleNames)[number];

let switchedOff: ReadonlySet<string> = new Set();

/** Switches rules off for all traces that are read from now on; for measurements only. */
export function switchRules(off: ReadonlySet<string>): void {
  switchedOff = off;
}

export function ruleIsOn(name: RuleName): boolean {
  return switchedOff.size === 0 || !switchedOff.has(name);
}
