import { counted, number, percent } from "../format.ts";
import type { Compared, Comparison, QueryComparison } from "./compare-data.ts";
import { withWarnings } from "./pass-rate-words.ts";
import { chanceWords, changeWords, isRealDifference, metricWords, signedFigure } from "./differences.ts";

const testNames: Readonly<Record<string, string>> = {
  sign: "sign test over queries",
  wilcoxon_signed_rank: "Wilcoxon signed-rank test over queries",
  fisher_exact: "Fisher's exact test over runs",
  mann_whitney: "Mann–Whitney test over runs",
  stratified_fisher: "exact test over runs, by query",
  stratified_mann_whitney: "Mann–Whitney test over runs, by query",
};

const shown = ["pass_rate", "cost_usd", "latency_ms", "total_tokens"] as const;

/** Returns the result in one sentence: which measures changed significantly and by how much, and which measures did not. */
export function overallSentence({ comparisons, by_query: queries }: Compared): string {
  const of = (metric: string): Comparison | undefined => comparisons.find((one) => one.metric === metric);
  const real = shown.filter((metric) => isRealDifference(of(metric)));
  const tested = shown.filter((metric) => of(metric)?.p_adjusted != null);
  if (tested.length === 0) return "A and B have nothing in common to compare";
  if (real.length === 0) {
    const inQueries = changedMeasures(queries);
    return inQueries === ""
      ? "A and B do not differ by more than chance"
      : `B ${inQueries} of ${counted(queries.length, "query", "queries")}; over all of them A and B do not differ by more than chance`;
  }
  const parts = real.map((metric) => differenceWords(metric, of(metric)));
  const rest = tested
    .filter((metric) => !real.includes(metric))
    .map((metric) => metricWords[metric] ?? metric);
  const sentence = `B ${listed(parts)}`;
  return rest.length === 0
    ? sentence
    : `${sentence}; ${listed(rest)} ${rest.length === 1 && rest[0] !== "tokens" ? "does" : "do"} not differ by more than chance`;
}

/**
 * Returns a text such as `is slower in 2, is cheaper in 1`: the number of queries in which a measure changed significantly. Empty if there
 * are none.
 */
function changedMeasures(queries: Compared["by_query"]): string {
  const parts = shown.flatMap((metric) => {
    const effects = queries.flatMap(({ comparisons }) =>
      comparisons
        .filter((one) => one.metric === metric && isRealDifference(one))
        .map(({ effect }) => effect ?? 0),
    );
    const [more, less] = moreOrLess[metric];
    const count = (word: string, isMore: boolean): string[] => {
      const found = effects.filter((effect) => effect > 0 === isMore).length;
      return found === 0 ? [] : [`${word} in ${found}`];
    };
    return [...count(more, true), ...count(less, false)];
  });
  return parts.join(", ");
}

const moreOrLess: Readonly<Record<(typeof shown)[number], readonly [more: string, less: string]>> = {
  pass_rate: ["passes more often", "passes less often"],
  cost_usd: ["is dearer", "is cheaper"],
  latency_ms: ["is slower", "is faster"],
  total_tokens: ["uses more tokens", "uses fewer tokens"],
};

/** Returns a text such as `costs 30 % less` or `takes 2.4 times as long`. */
function differenceWords(metric: string, comparison: Comparison | undefined): string {
  const isMore = (comparison?.effect ?? 0) > 0;
  if (metric === "pass_rate") return isMore ? "passes more often" : "passes less often";
  const verbs: Readonly<Record<string, readonly [verb: string, more: string, less: string, times: string]>> =
    {
      cost_usd: ["costs", "more", "less", "as much"],
      latency_ms: ["takes", "longer", "less time", "as long"],
      total_tokens: ["uses", "more tokens", "fewer tokens", "as many tokens"],
    };
  const [verb, more, less, times] = verbs[metric] ?? ["has", `more ${metric}`, `less ${metric}`, `as much`];
  const change = comparison?.change;
  if (change?.scale !== "ratio") return `${verb} ${isMore ? more : less}`;
  if (change.estimate >= 1) return `${verb} ${number(1 + change.estimate, 1)} times ${times}`;
  return `${verb} ${Math.abs(100 * change.estimate).toFixed(0)} % ${isMore ? more : less}`;
}

/** Joins words into a list such as `pass rate, cost and tokens`. */
function listed(words: readonly string[]): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}

/** Pass rate, cost, time and tokens over all queries that both sides have. Each query has the same weight. */
export function Overall({ compared }: { compared: Compared }) {
  const { by_query: queries, comparisons } = compared;
  return (
    <section class="panel overall" aria-label="Overall">
      {shown.map((metric) => {
        const comparison = comparisons.find((one) => one.metric === metric);
        return (
          <div key={metric}>
            <h2>{metricWords[metric]}</h2>
            <p>
              <strong>
                {comparison === undefined
                  ? "–"
                  : metric === "pass_rate"
                    ? meanRates(comparison, queries)
                    : changeWords(comparison)}
              </strong>{" "}
              <span class="quiet">{intervalWords(comparison)}</span>
            </p>
            <p class="quiet">{basis(comparison)}</p>
          </div>
        );
      })}
    </section>
  );
}

function intervalWords(comparison: Comparison | undefined): string {
  const change = comparison?.change;
  if (change == null || change.low === null || change.high === null) return "";
  const show = (value: number): string =>
    change.scale === "ratio"
      ? `${value < 0 ? "−" : "+"}${Math.abs(100 * value).toFixed(0)} %`
      : signedFigure(comparison?.metric ?? "", value);
  if (show(change.low) === show(change.high)) return "";
  return `${show(change.low)} to ${show(change.high)}`;
}

function basis(comparison: Comparison | undefined): string {
  if (comparison === undefined) return "not known";
  const { p_adjusted: p, reason, higher, lower, equal, test } = comparison;
  if (p === null) return reason ?? "too few known values";
  const verdict = isRealDifference(comparison)
    ? "● more than chance"
    : "○ within chance or too small to show";
  const counts = [
    higher > 0 ? `higher in ${higher}` : "",
    lower > 0 ? `lower in ${lower}` : "",
    equal > 0 ? `equal in ${equal}` : "",
  ].filter((text) => text !== "");
  const queries = higher + lower + equal === 1 ? "query" : "queries";
  return `${verdict}, ${chanceWords(p)}; ${counts.join(", ")} ${queries}; ${testNames[test ?? ""] ?? ""}`;
}

/** Returns a text such as `100 % → 90 % (3 with warnings)`. The rates are means over the tested queries, not over all runs. */
function meanRates(comparison: Comparison, queries: Compared["by_query"]): string {
  const side = (mean: number | null, warned: (query: QueryComparison) => number): string => {
    const warnings = queries.reduce((sum, query) => sum + warned(query), 0);
    return mean === null ? "not decided" : withWarnings(percent(mean), warnings);
  };
  const { mean_a: a, mean_b: b } = comparison;
  return `${side(a, (query) => query.warned_a)} → ${side(b, (query) => query.warned_b)}`;
}
