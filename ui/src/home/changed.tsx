import type { ComponentChildren } from "preact";
import { type Loading, useLoaded } from "../api.ts";
import { useBaselines } from "../compare/baselines.ts";
import { compare, type Compared } from "../compare/compare-data.ts";
import { type Difference, differencesOf, isRealDifference } from "../compare/differences.ts";
import { kindsSeen, kindWords } from "../compare/presets.ts";
import { counted } from "../format.ts";
import { Loaded } from "../parts/notice.tsx";
import { rangeWords, timeRange } from "../parts/time-range.tsx";
import { duringWords } from "../parts/time-words.ts";
import { parameter, setParameters } from "../route.ts";
import type { TableRows } from "../tables/table-rows.ts";
import {
  baselinePrefix,
  facetsSeen,
  savedVersions,
  type Sides,
  sidesOf,
  timesOf,
  versionPairs,
  versionsOf,
} from "./changed-sides.ts";
import { changesOf, ChangeTable, oneSidedWords } from "./change-table.tsx";

/** Significant differences from an earlier period, version or baseline, for each query, the worst first. */
export function Changed({ rows }: { rows: TableRows }) {
  const range = timeRange();
  const loadingFacets = useLoaded(() => facetsSeen(range), [range.since, range.until]);
  const seen = loadingFacets.state === "ready" ? loadingFacets.value : null;
  const against = parameter("against");
  const baselines = useBaselines();
  const sides = sidesOf(range, against);
  const loading = useLoaded(
    () => (sides === null ? Promise.resolve(null) : compare(sides.parameters)),
    [JSON.stringify(sides)],
  );
  return (
    <section class="panel" aria-labelledby="changed-title">
      <header>
        <h2 id="changed-title">What changed</h2>
        <label class="quiet">
          {against === "" ? `${rangeWords(range)} against ` : `${rangeWords(range)}, `}
          <select
            aria-label="Compare with"
            value={against}
            onChange={(event) => setParameters({ against: event.currentTarget.value })}
          >
            <option value="">{timesOf(range)?.before ?? "the time before"}</option>
            {versionPairs(versionsOf(seen), against).map(([before, after]) => (
              <option key={`${before}..${after}`} value={`${before}..${after}`}>
                version {after} against {before}
              </option>
            ))}
            {savedVersions(baselines, against).map((version) => (
              <option key={version} value={`${baselinePrefix}${version}`}>
                against baseline {version}
              </option>
            ))}
          </select>
        </label>
        {sides !== null && (
          <a class="right" href={compareAddress(sides)}>
            Compare
          </a>
        )}
      </header>
      <Loaded from={loading}>
        {(compared) =>
          compared === null || sides === null ? (
            <p class="body quiet">There is nothing to compare with.</p>
          ) : (
            <Differences compared={compared} sides={sides} rows={rows} />
          )
        }
      </Loaded>
      <CompareFooter hasDifferences={hasDifferences(loading)} />
    </section>
  );
}

/** Whether both sides have runs. Only then are differences shown. */
function hasDifferences(loading: Loading<Compared | null>): boolean {
  return (
    loading.state === "ready" &&
    loading.value !== null &&
    loading.value.a.runs > 0 &&
    loading.value.b.runs > 0
  );
}

function compareAddress({ parameters }: Sides): string {
  return `/compare?${new URLSearchParams(parameters).toString()}`;
}

/** Explains the significance level, and links to Compare with both sides and with the presets. */
function CompareFooter({ hasDifferences }: { hasDifferences: boolean }) {
  const loading = useLoaded(() => facetsSeen({ since: "", until: "" }), []);
  const kinds = loading.state === "ready" && loading.value !== null ? kindsSeen(loading.value) : [];
  if (!hasDifferences && kinds.length === 0) return null;
  return (
    <footer>
      {hasDifferences &&
        "p: probability that chance alone causes such a difference, corrected (Holm) for all comparisons here"}
      {hasDifferences && kinds.length > 0 && " · "}
      {kinds.length > 0 && "Compare "}
      {kinds.map((kind, at) => (
        <span key={kind}>
          {at > 0 && ", "}
          <a href={`/compare?by=${kind}`}>{kindWords(kind)}</a>
        </span>
      ))}
    </footer>
  );
}

const shownAtFirst = 7;

function Differences({ compared, sides, rows }: { compared: Compared; sides: Sides; rows: TableRows }) {
  const { a, b, sides: both, by_query: queries, one_side: oneSided } = compared;
  if (a.runs === 0 || b.runs === 0) {
    const { since, until } = timeRange();
    const none = a.runs === 0 ? `in ${sides.before}` : duringWords(since, until);
    return <p class="body quiet">No run was judged {none}, so there is nothing to compare.</p>;
  }
  const all = differencesOf(queries);
  const real = all.filter(({ verdict }) => verdict === "worse" || verdict === "better");
  const chance = all.filter(({ verdict }) => verdict === "chance" || verdict === "same");
  const changes = changesOf(real, oneSided, rows);
  const address = compareAddress(sides);
  return (
    <>
      <p class="body">
        <strong>{changesInWords(real, compared)}</strong>{" "}
        <span class="quiet">
          {counted(a.runs, "run")} before, {b.runs} after; {counted(both.queries, "query", "queries")} on both
          sides.
          {a.runs <= both.queries &&
            " With one earlier run for each query, only changes of several queries can be significant."}
        </span>
      </p>
      {changes.length > 0 && <ChangeTable changes={changes.slice(0, shownAtFirst)} address={address} />}
      {changes.length > shownAtFirst && (
        <More summary={`${changes.length - shownAtFirst} more changes`}>
          <ChangeTable changes={changes.slice(shownAtFirst)} address={address} />
        </More>
      )}
      {chance.length > 0 && (
        <More summary={`${counted(chance.length, "difference")} within chance or too small to show`}>
          <ChangeTable changes={changesOf(chance, [], rows)} address={address} />
        </More>
      )}
    </>
  );
}

function More({ summary, children }: { summary: string; children: ComponentChildren }) {
  return (
    <details class="more-groups">
      <summary>{summary}</summary>
      {children}
    </details>
  );
}

/** Returns a sentence such as `3 queries got slower, 1 query got cheaper.` */
function changesInWords(real: readonly Difference[], compared: Compared): string {
  const oneSided = oneSidedWords(compared.one_side);
  if (real.length === 0 && oneSided.length === 0) {
    const overall = overallChanges(compared);
    return overall === ""
      ? "Nothing changed by more than chance explains."
      : `Over all queries, runs ${overall}; no single query changed by more than chance explains.`;
  }
  const words: Readonly<Record<string, readonly [worse: string, better: string]>> = {
    pass_rate: ["pass less often", "pass more often"],
    latency_ms: ["got slower", "got faster"],
    cost_usd: ["got more expensive", "got cheaper"],
    total_tokens: ["use more tokens", "use fewer tokens"],
  };
  const parts = Object.entries(words).flatMap(([metric, [worse, better]]) =>
    (["worse", "better"] as const).flatMap((verdict) => {
      const count = real.filter((one) => one.metric === metric && one.verdict === verdict).length;
      return count === 0
        ? []
        : [`${counted(count, "query", "queries")} ${singular(verdict === "worse" ? worse : better, count)}`];
    }),
  );
  return `${[...oneSided, ...parts].join(", ")}.`;
}

/** Returns a text such as `pass less often and take longer`; empty if no change is significant. */
function overallChanges({ comparisons }: Compared): string {
  const words: Readonly<Record<string, readonly [higher: string, lower: string]>> = {
    pass_rate: ["pass more often", "pass less often"],
    latency_ms: ["take longer", "are faster"],
    cost_usd: ["cost more", "cost less"],
    total_tokens: ["use more tokens", "use fewer tokens"],
    tool_calls: ["call more tools", "call fewer tools"],
  };
  return comparisons
    .filter(isRealDifference)
    .flatMap(({ metric, effect }) => words[metric]?.[(effect ?? 0) > 0 ? 0 : 1] ?? [])
    .join(" and ");
}

function singular(words: string, count: number): string {
  return count === 1 ? words.replace(/^pass /, "passes ").replace(/^use /, "uses ") : words;
}
