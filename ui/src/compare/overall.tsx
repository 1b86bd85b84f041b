import { counted, percent } from "../format.ts";
import type { Compared, Comparison } from "./compare-data.ts";
import { chanceWords, changeWords, isRealDifference, metricWords } from "./differences.ts";

const testNames: Readonly<Record<string, string>> = {
  sign: "sign test over queries",
  wilcoxon_signed_rank: "Wilcoxon signed-rank test over queries",
  fisher_exact: "Fisher's exact test over runs",
  mann_whitney: "Mann–Whitney test over runs",
  stratified_fisher: "exact test over runs, by query",
  stratified_mann_whitney: "Mann–Whitney test over runs, by query",
};

const shown = ["pass_rate", "cost_usd", "latency_ms", "total_tokens"] as const;

/** The answer in one sentence: what differs by more than chance, and what does not. */
export function overallSentence({ comparisons, by_query: queries }: Compared): string {
  const words: Readonly<Record<string, readonly [higher: string, lower: string]>> = {
    pass_rate: ["B passes more often", "B passes less often"],
    cost_usd: ["B costs more", "B costs less"],
    latency_ms: ["B takes longer", "B is faster"],
    total_tokens: ["B uses more tokens", "B uses fewer tokens"],
  };
  const of = (metric: string): Comparison | undefined => comparisons.find((one) => one.metric === metric);
  const real = shown.filter((metric) => isRealDifference(of(metric)));
  const tested = shown.filter((metric) => of(metric)?.p_adjusted != null);
  if (tested.length === 0) return "A and B have nothing in common to compare";
  if (real.length === 0) {
    const differing = queries.filter((query) => query.comparisons.some(isRealDifference)).length;
    return differing === 0
      ? "A and B do not differ by more than chance"
      : `A and B are alike over all queries, ${counted(differing, "query differs", "queries differ")}`;
  }
  const parts = real.map((metric) => {
    const [higher, lower] = words[metric] ?? ["", ""];
    return (of(metric)?.effect ?? 0) > 0 ? higher : lower;
  });
  const rest = tested.filter((metric) => !real.includes(metric)).map((metric) => metricWords[metric]);
  const [first = "", ...others] = parts;
  const sentence = [first, ...others.map((part) => part.replace(/^B /, ""))].join(", ");
  return rest.length === 0
    ? sentence
    : `${sentence}; ${rest.join(" and ")} within chance or too small to show`;
}

/** Pass rate, cost, time and tokens over all queries that both sides have, each query counting once. */
export function Overall({ compared }: { compared: Compared }) {
  const { a, b, comparisons } = compared;
  return (
    <section class="panel overall" aria-label="Overall">
      {shown.map((metric) => {
        const comparison = comparisons.find((one) => one.metric === metric);
        return (
          <div key={metric}>
            <h2>{metricWords[metric]}</h2>
            <p>
              <strong>
                {metric === "pass_rate"
                  ? `${percent(a.pass_rate)} → ${percent(b.pass_rate)}`
                  : comparison === undefined
                    ? "–"
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
      : value.toFixed(1);
  return `${show(change.low)} to ${show(change.high)}`;
}

function basis(comparison: Comparison | undefined): string {
  if (comparison === undefined) return "not known";
  const { p_adjusted: p, reason, higher, lower, equal, test } = comparison;
  if (p === null) return reason ?? "not enough is known";
  const verdict = isRealDifference(comparison) ? "more than chance" : "within chance or too small to show";
  return `${verdict}, ${chanceWords(p)}; higher in ${higher}, lower in ${lower}, equal in ${equal}; ${testNames[test ?? ""] ?? ""}`;
}
