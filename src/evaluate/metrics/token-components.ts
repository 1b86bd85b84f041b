import type { JsonValue } from "../../model/json.ts";
import type { AgentRun } from "../../model/run.ts";
import { plausibleTokens } from "../quantities/run-quantities.ts";

/** ProjectScylla's token components. The root span reports token components as attributes `tracejury.tokens.<component>`. */
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

/** Whether the root span reports any token component. */
export function holdsComponents(attributes: Attributes): boolean {
  for (const name of attributes.keys()) if (name.startsWith("tracejury.tokens.")) return true;
  return false;
}

/** Returns the number of tokens of a component; null if the root span reports none or an implausible number. */
export function tokensOf(attributes: Attributes, component: TokenComponent): number | null {
  const value = attributes.get(`tracejury.tokens.${component}`);
  return typeof value === "number" ? plausibleTokens(value) : null;
}

/** Returns skill / (skill + schema), from 0 to 1; 0 if both are 0. Null if a number is unknown. */
export function skillEfficiency(skill: number | null, schema: number | null): number | null {
  if (skill === null || schema === null) return null;
  return skill + schema === 0 ? 0 : skill / (skill + schema);
}

/** Returns tokens of tool schemas / tokens of skill prompts. Null if a number is unknown, or if skill prompts have none. */
export function tokenEfficiency(skill: number | null, schema: number | null): number | null {
  return skill === null || schema === null || skill === 0 ? null : schema / skill;
}

/**
 * Parts of a run's tokens. Model calls report the first four, the root span reports ProjectScylla's components, and either can report
 * `reasoning`.
 */
export const tokenParts = [
  "input",
  "output",
  "cached",
  "cache_write",
  ...tokenComponents,
] as const satisfies readonly string[];
export type TokenPart = (typeof tokenParts)[number];

/** Returns the number of tokens of a part; null if neither root span nor usage reports the part. */
export function tokensOfPart(run: Pick<AgentRun, "attributes" | "usage">, part: TokenPart): number | null {
  const { input, output, cached, cacheWrite, reasoning } = run.usage;
  if (part === "input") return input;
  if (part === "output") return output;
  if (part === "cached") return cached;
  if (part === "cache_write") return cacheWrite;
  return tokensOf(run.attributes, part) ?? (part === "reasoning" ? reasoning : null);
}

/** Returns a part's share of all tokens, from 0 to 1. Null if a number is unknown, the total is 0, or the part exceeds the total. */
export function tokenShare(part: number | null, total: number | null): number | null {
  return part === null || total === null || total === 0 || part > total ? null : part / total;
}
