/** Tiers as vendors name what everybody gets who asks for nothing else. */
const usual: ReadonlySet<string> = new Set([
  "",
  "auto",
  "default",
  "none",
  "null",
  "on_demand",
  "ondemand",
  "standard",
  "standard_only",
]);

/** `flex`, `ServiceTier.FLEX` and `Flex` → `flex`. */
export function plainTier(tier: string): string {
  return tier
    .slice(tier.lastIndexOf(".") + 1)
    .trim()
    .toLowerCase()
    .replace(/[ -]/g, "_");
}

export function isUsualTier(tier: string): boolean {
  return usual.has(plainTier(tier));
}
