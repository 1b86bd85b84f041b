import { ApiError, ask } from "../api.ts";
import type { SavedVersion } from "../compare/baselines.ts";
import type { Facets } from "../compare/presets.ts";
import { rangeMs, rangeWords, type TimeRange, unixMsOf } from "../parts/time-range.tsx";
import { twice } from "../parts/time-words.ts";

/** Resolves to the facets of the runs in a period; null if the store has no facets. */
export async function facetsSeen({ since, until }: TimeRange): Promise<Facets | null> {
  try {
    return await ask<Facets>("/api/v1/facets", { parameters: { since, until } });
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  }
}

/** Returns the versions of the agents, in ascending order. */
export function versionsOf(seen: Facets | null): readonly string[] {
  return (seen?.facets.version ?? [])
    .map(({ value }) => value)
    .toSorted((a, b) => a.localeCompare(b, "en", { numeric: true }));
}

/** Returns pairs of successive versions, the newest first. Always includes the pair that is in the URL. */
export function versionPairs(
  versions: readonly string[],
  against: string,
): (readonly [before: string, after: string])[] {
  const pairs = versions.slice(1).map((after, at) => [versions[at] ?? "", after] as const);
  const [before = "", after = ""] = against.split("..");
  const isThere = !against.includes("..") || pairs.some(([one, other]) => one === before && other === after);
  return [...(isThere ? [] : [[before, after] as const]), ...pairs.reverse()];
}

/** Prefix of a baseline's name in the URL; two versions are written as `1.3.0..1.4.0`. */
export const baselinePrefix = "baseline:";

/** Returns the saved versions. Always includes the version that is in the URL. */
export function savedVersions(baselines: readonly SavedVersion[], against: string): readonly string[] {
  const names = baselines.map(({ version }) => version);
  if (!against.startsWith(baselinePrefix)) return names;
  const named = against.slice(baselinePrefix.length);
  return names.includes(named) ? names : [named, ...names];
}

/** Returns both sides of the comparison that `against` names; null if the length of the period is unknown. */
export function sidesOf(range: TimeRange, against: string): Sides | null {
  if (against === "") return timesOf(range);
  if (!against.startsWith(baselinePrefix)) return versionSides(range, against);
  const version = against.slice(baselinePrefix.length);
  return {
    parameters: {
      a_baseline: version,
      b_since: range.since,
      ...(range.until === "" ? {} : { b_until: range.until }),
    },
    before: `baseline ${version}`,
  };
}

function versionSides({ since, until }: TimeRange, against: string): Sides {
  const [before = "", after = ""] = against.split("..");
  return {
    parameters: {
      a_version: before,
      a_since: since,
      ...(until === "" ? {} : { a_until: until, b_until: until }),
      b_version: after,
      b_since: since,
    },
    before: `version ${before}`,
  };
}

export interface Sides {
  readonly parameters: Readonly<Record<string, string>>;
  /** The side A in words. */
  readonly before: string;
}

/** Returns the selected period and the period of the same length before it as sides. */
export function timesOf(range: TimeRange): Sides | null {
  const length = rangeMs(range);
  if (length === null || length <= 0) return null;
  const { since, until } = range;
  const doubled = until === "" ? twice(since) : null;
  if (doubled !== null) {
    return {
      parameters: { a_since: doubled, a_until: since, b_since: since },
      before: `the ${rangeWords(range).replace("last ", "")} before`,
    };
  }
  return {
    parameters: {
      a_since: String(Math.round(unixMsOf(since) - length)),
      a_until: since,
      b_since: since,
      ...(until === "" ? {} : { b_until: until }),
    },
    before: "as much time before",
  };
}
