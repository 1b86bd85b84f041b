import { ApiError, ask } from "../api.ts";
import type { SavedVersion } from "../compare/baselines.ts";
import { rangeMs, rangeWords, type TimeRange } from "../parts/time-range.tsx";

/** Versions of the agents in this time, in their order; none where the store does not know them. */
export async function versionsSeen({ since, until }: TimeRange): Promise<readonly string[]> {
  try {
    const { facets } = await ask<{ facets: { version: readonly { value: string }[] } }>("/api/v1/facets", {
      parameters: { since, until },
    });
    return facets.version
      .map(({ value }) => value)
      .sort((a, b) => a.localeCompare(b, "en", { numeric: true }));
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return [];
    throw error;
  }
}

/** Each version with the one before it, the newest first; the one that the address names is there in any case. */
export function versionPairs(
  versions: readonly string[],
  against: string,
): (readonly [before: string, after: string])[] {
  const pairs = versions.slice(1).map((after, at) => [versions[at] ?? "", after] as const);
  const [before = "", after = ""] = against.split("..");
  const isThere = !against.includes("..") || pairs.some(([one, other]) => one === before && other === after);
  return [...(isThere ? [] : [[before, after] as const]), ...pairs.reverse()];
}

/** Precedes a baseline's name in the address, where two versions stand as `1.3.0..1.4.0`. */
export const baselinePrefix = "baseline:";

/** The saved versions; the one that the address names is there in any case. */
export function savedVersions(baselines: readonly SavedVersion[], against: string): readonly string[] {
  const names = baselines.map(({ version }) => version);
  if (!against.startsWith(baselinePrefix)) return names;
  const named = against.slice(baselinePrefix.length);
  return names.includes(named) ? names : [named, ...names];
}

/** Both sides of the comparison that `against` of the address names; null where the time has no length. */
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
  /** What the first side is, in words. */
  readonly before: string;
}

/** The time of the view, and as much time before it. */
export function timesOf(range: TimeRange): Sides | null {
  const length = rangeMs(range);
  if (length === null || length <= 0) return null;
  const minutes = Math.max(1, Math.round(length / 60_000));
  if (range.until === "") {
    const before = `${minutes}m`;
    return {
      parameters: { a_since: `${2 * minutes}m`, a_until: before, b_since: before },
      before: `the ${rangeWords(range).replace("last ", "")} before`,
    };
  }
  const since = new Date(range.since).getTime();
  return {
    parameters: {
      a_since: String(Math.round(since - length)),
      a_until: range.since,
      b_since: range.since,
      b_until: range.until,
    },
    before: "as much time before",
  };
}
