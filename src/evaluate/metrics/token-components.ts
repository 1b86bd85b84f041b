import type { JsonValue } from "../../model/json.ts";
import type { AgentRun } from "../../model/run.ts";
import { plausibleTokens } from "../quantities/plausible.ts";

/**
 * ProjectScylla's token components, from root attributes `tracejury.tokens.<component>`. Model call spans only have cached, cache-write and
 * reasoning tokens.
 */
export const tokenComponents = [
  "system_prompt",
  "skill_prompt",
  "domain_expertise",
  "tool_schema",
  "tool_call",
  "tool_response",
  "orchestrator",
  "sub_agent",
  "monitor",
  "evaluator",
  "user_prompt",
  "response",
  "context",
  "reasoning",
  "other",
] as const;
export type TokenComponent = (typeof tokenComponents)[number];

type Attributes = ReadonlyMap<string, JsonValue>;

/** Whether the root says what some of the tokens were spent on. */
export function holdsComponents(attributes: Attributes): boolean {
  for (const name of attributes.keys()) if (name.startsWith("tracejury.tokens.")) return true;
  return false;
}

/** Tokens of a component; null when the root does not hold it, or holds no count. */
export function tokensOf(attributes: Attributes, component: TokenComponent): number | null {
  const value = attributes.get(`tracejury.tokens.${component}`);
  return typeof value === "number" ? plausibleTokens(value) : null;
}

/** skill / (skill + schema), 0 when both are 0; in 0–1. Null when either is unknown. */
export function skillEfficiency(skill: number | null, schema: number | null): number | null {
  if (skill === null || schema === null) return null;
  return skill + schema === 0 ? 0 : skill / (skill + schema);
}

/** schema / skill. Null when either is unknown, or there are no skill tokens to compare with. */
export function tokenEfficiency(skill: number | null, schema: number | null): number | null {
  return skill === null || schema === null || skill === 0 ? null : schema / skill;
}

/** Parts that the usage of model calls holds, and those that only the root may hold. */
export const tokenParts = [
  "input",
  "output",
  "cached",
  "cache_write",
  ...tokenComponents,
] as const satisfies readonly string[];
export type TokenPart = (typeof tokenParts)[number];

/** Tokens of a part; null when neither the root nor the usage holds it. */
export function tokensOfPart(run: Pick<AgentRun, "attributes" | "usage">, part: TokenPart): number | null {
  const { input, output, cached, cacheWrite, reasoning } = run.usage;
  if (part === "input") return input;
  if (part === "output") return output;
  if (part === "cached") return cached;
  if (part === "cache_write") return cacheWrite;
  return tokensOf(run.attributes, part) ?? (part === "reasoning" ? reasoning : null);
}

/** A part of all tokens, in 0–1. Null when either is unknown, the whole is 0, or the part is no part of it. */
export function tokenShare(part: number | null, total: number | null): number | null {
  return part === null || total === null || total === 0 || part > total ? null : part / total;
}
