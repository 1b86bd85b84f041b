import { useLoaded } from "../api.ts";
import { counted } from "../format.ts";
import { useEffect } from "../hooks.ts";
import { Loaded, Skeleton } from "../parts/notice.tsx";
import { parameter, setParameters } from "../route.ts";
import type { SavedVersion } from "./baselines.ts";
import { type Facets, kindsSeen, kindWords, presetsOf, presetWords } from "./presets.ts";

interface Seen {
  readonly facets: Facets | undefined;
  readonly baselines: readonly SavedVersion[];
}

/** Suggested comparisons with the number of their runs, shown before sides are selected. The parameter `by` opens one of them. */
export function PresetList({ facets, baselines }: Seen) {
  const loading = useLoaded(
    () => (facets === undefined ? Promise.resolve(undefined) : presetsOf(facets)),
    [facets],
  );
  const presets = loading.state === "ready" ? loading.value : undefined;
  const by = parameter("by");
  const wanted = presets?.find(({ kind }) => kind === by);
  useEffect(() => {
    if (wanted !== undefined) setParameters({ by: "", ...wanted.parameters });
  }, [wanted]);
  if (wanted !== undefined) return <Skeleton />;
  return (
    <Loaded from={loading}>
      {(found) =>
        found === undefined || facets === undefined ? (
          <Skeleton />
        ) : (
          <section class="panel" aria-labelledby="presets-title">
            <header>
              <h2 id="presets-title">What can be compared</h2>
              <span class="quiet">or pick A and B above</span>
            </header>
            <ul class="presets">
              {found.map((preset) => (
                <li key={preset.kind}>
                  <span class="kind">{kindWords(preset.kind)}</span>
                  <a href={`/compare?${new URLSearchParams(preset.parameters).toString()}`}>
                    {presetWords(preset)}
                  </a>
                  <span class="quiet">{counted(preset.queriesInCommon, "query", "queries")} in common</span>
                </li>
              ))}
              {baselines.slice(0, 1).map(({ version, runs }) => (
                <li key={version}>
                  <span class="kind">baseline</span>
                  <a
                    href={`/compare?${new URLSearchParams({ a_baseline: version, b_since: "24h" }).toString()}`}
                  >
                    last 24 hours against {version} ({counted(runs, "run")})
                  </a>
                </li>
              ))}
              <li>
                <span class="kind">time</span>
                <a href="/compare?a_since=48h&a_until=24h&b_since=24h">
                  last 24 hours against the 24 hours before
                </a>
              </li>
            </ul>
            <footer>
              Runs are only compared with runs of the same query. A difference counts if chance alone causes
              it in fewer than 5 of 100 comparisons.
              {absentWords(
                facets,
                found.map(({ kind }) => kind),
              )}
            </footer>
          </section>
        )
      }
    </Loaded>
  );
}

/** Returns a sentence about the kinds that have several values, but no two values with a common query. */
function absentWords(facets: Facets, found: readonly string[]): string {
  const without = kindsSeen(facets).filter((kind) => !found.includes(kind));
  return without.length === 0
    ? ""
    : ` No query has runs of two ${without.map(kindWords).join(" or of two ")}.`;
}
