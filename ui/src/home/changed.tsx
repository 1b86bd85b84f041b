import type { ComponentChildren } from "preact";
import { useLoaded } from "../api.ts";
import { useBaselines } from "../compare/baselines.ts";
import { compare, type Compared } from "../compare/compare-data.ts";
import {
  chanceWords,
  type Difference,
  differencesOf,
  isRealDifference,
  metricWords,
} from "../compare/differences.ts";
import { counted } from "../format.ts";
import { Loaded } from "../parts/notice.tsx";
import { inRange, rangeWords, timeRange } from "../parts/time-range.tsx";
import { parameter, setParameters } from "../route.ts";
import {
  baselinePrefix,
  savedVersions,
  sidesOf,
  timesOf,
  versionPairs,
  versionsSeen,
} from "./changed-sides.ts";
import { queryAddress } from "./problem-row.tsx";

/** What differs from the time before by more than chance, query by query, the worst first. */
export function Changed() {
  const range = timeRange();
  const facets = useLoaded(() => versionsSeen(range), [range.since, range.until]);
  const versions = facets.state === "ready" ? facets.value : [];
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
            {versionPairs(versions, against).map(([before, after]) => (
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
          <a class="right" href={`/compare?${new URLSearchParams(sides.parameters).toString()}`}>
            Compare
          </a>
        )}
      </header>
      <Loaded from={loading}>
        {(compared) =>
          compared === null ? (
            <p class="body quiet">There is nothing to compare with.</p>
          ) : (
            <Differences compared={compared} before={sides?.before ?? ""} />
          )
        }
      </Loaded>
    </section>
  );
}

const shownAtFirst = 7;

function Differences({ compared, before }: { compared: Compared; before: string }) {
  const { a, b, sides, by_query: queries } = compared;
  if (a.runs === 0 || b.runs === 0) {
    const none = `in ${a.runs === 0 ? before : rangeWords(timeRange())}`;
    return <p class="body quiet">No run was judged {none}, so there is nothing to compare.</p>;
  }
  const all = differencesOf(queries);
  const real = all.filter(({ verdict }) => verdict === "worse" || verdict === "better");
  const chance = all.filter(({ verdict }) => verdict === "chance" || verdict === "same");
  return (
    <>
      <p class="body">
        <strong>{changesInWords(real, compared)}</strong>{" "}
        <span class="quiet">
          {counted(a.runs, "run")} before, {b.runs} after; {counted(sides.queries, "query", "queries")} on
          both sides.
          {a.runs <= sides.queries &&
            " With one run a query before, only changes of several queries can be told from chance."}
        </span>
      </p>
      {real.length > 0 && <DifferenceTable differences={real.slice(0, shownAtFirst)} />}
      {real.length > shownAtFirst && (
        <More summary={`${real.length - shownAtFirst} more changes`}>
          <DifferenceTable differences={real.slice(shownAtFirst)} />
        </More>
      )}
      {chance.length > 0 && (
        <More summary={`${counted(chance.length, "difference")} within chance or too small to show`}>
          <DifferenceTable differences={chance} />
        </More>
      )}
      <footer>p after Holm's correction over all that is compared here</footer>
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

/** `3 queries got slower, 1 query got cheaper.` */
function changesInWords(real: readonly Difference[], compared: Compared): string {
  if (real.length === 0) {
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
  return `${parts.join(", ")}.`;
}

/** `pass less often and take longer`; empty where chance explains all of it. */
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

const verdictWords = {
  worse: "▲ worse",
  better: "▼ better",
  chance: "≈ chance",
  same: "≈ the same",
} as const;
const verdictClass = { worse: "mark fail", better: "mark pass", chance: "quiet", same: "quiet" } as const;

function DifferenceTable({ differences }: { differences: readonly Difference[] }) {
  return (
    <table class="rows">
      <thead>
        <tr>
          <th scope="col">Query</th>
          <th scope="col">Measure</th>
          <th scope="col" class="num wide-only">
            Before
          </th>
          <th scope="col" class="num wide-only">
            After
          </th>
          <th scope="col" class="num">
            Change
          </th>
          <th scope="col">Verdict</th>
          <th scope="col" class="num wide-only">
            Chance
          </th>
        </tr>
      </thead>
      <tbody>
        {differences.map(({ key, query, metric, before, after, change, verdict, p }) => (
          <tr key={key}>
            <th scope="row" class="cut">
              <a href={inRange(queryAddress(query.spec, query.query_id))} title={query.text ?? query.spec}>
                {query.text ?? query.query_id}
              </a>
            </th>
            <td>{metricWords[metric] ?? metric}</td>
            <td class="num wide-only">{before}</td>
            <td class="num wide-only">{after}</td>
            <td class="num">
              <strong>{change}</strong>
            </td>
            <td class={verdictClass[verdict]}>{verdictWords[verdict]}</td>
            <td class="num quiet wide-only">{chanceWords(p)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
