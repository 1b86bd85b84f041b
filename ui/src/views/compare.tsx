import { useLoaded } from "../api.ts";
import { compare, type Compared, type Comparison, level, type SideJson } from "../compare/compare-data.ts";
import { money, number, percent, time } from "../format.ts";
import { Empty, Loaded } from "../parts/notice.tsx";
import { Rate } from "../parts/rate.tsx";
import { parameter, setParameters } from "../route.ts";
import { Distribution } from "./distribution.tsx";
import { NoSums } from "./queries.tsx";

const sides = ["a", "b"] as const;
const narrowing = ["agent", "model", "attribute", "since", "until"] as const;
const hints: Readonly<Record<(typeof narrowing)[number], string>> = {
  agent: "rag-agent",
  model: "gpt-4o-mini",
  attribute: "service.version=2.1",
  since: "7d, or 2026-11-01",
  until: "24h",
};

const metricNames: Readonly<Record<string, string>> = {
  pass_rate: "Pass rate",
  latency_ms: "Duration in ms",
  cost_usd: "Cost in $",
  total_tokens: "Tokens",
  tool_calls: "Tool calls",
};

/** Two versions, models or times side by side. */
export function CompareView() {
  const names = ["spec", "query", ...sides.flatMap((side) => narrowing.map((name) => `${side}_${name}`))];
  const parameters = Object.fromEntries(names.map((name) => [name, parameter(name)]));
  const chosen = Object.entries(parameters).some(([name, value]) => /^[ab]_/.test(name) && value !== "");
  const loading = useLoaded(
    () => (chosen ? compare(parameters) : Promise.resolve(undefined)),
    [JSON.stringify(parameters)],
  );
  return (
    <section class="view compare">
      <h1>Compare</h1>
      <form class="filters" onSubmit={(event) => event.preventDefault()}>
        <Field name="query" label="Query id" hint="all queries" />
        <Field name="spec" label="Spec" hint="all specs" />
      </form>
      <div class="sides">
        {sides.map((side) => (
          <fieldset key={side} class={`card side-${side}`}>
            <legend>{side.toUpperCase()}</legend>
            {narrowing.map((name) => (
              <Field key={name} name={`${side}_${name}`} label={name} hint={hints[name]} />
            ))}
          </fieldset>
        ))}
      </div>
      <Loaded from={loading}>
        {(compared) =>
          compared === undefined ? (
            <Teaching />
          ) : compared === null ? (
            <NoSums />
          ) : (
            <Result compared={compared} />
          )
        }
      </Loaded>
    </section>
  );
}

function Field({ name, label, hint }: { name: string; label: string; hint: string }) {
  return (
    <label>
      {label}
      <input
        name={name}
        value={parameter(name)}
        placeholder={hint}
        onChange={(event) => setParameters({ [name]: event.currentTarget.value.trim() })}
      />
    </label>
  );
}

function Teaching() {
  return (
    <Empty title="Say what A and B are">
      <p>
        Two models:{" "}
        <a href="/compare?a_model=gpt-4o-mini&b_model=gpt-4o-2024">gpt-4o-mini against gpt-4o-2024</a>. Two
        times: <a href="/compare?a_since=14d&a_until=7d&b_since=7d">the week before against the last</a>. Two
        versions:{" "}
        <a href="/compare?a_attribute=service.version%3D1.0&b_attribute=service.version%3D1.1">
          service.version 1.0 against 1.1
        </a>
        .
      </p>
      <p>
        Runs are only compared with runs of the same query. A difference is called real when chance would show
        it in fewer than 5 of 100.
      </p>
    </Empty>
  );
}

function Result({ compared: { a, b, sides: both, comparisons } }: { compared: Compared }) {
  if (a.runs === 0 || b.runs === 0) {
    if (both.overlap > 0) {
      return (
        <Empty title="All runs of one side fit the other, too">
          <p>
            {counted(both.overlap, "run")} fit both sides, and count for one only. Narrow A and B so that each
            has runs of its own: by another version, model or time.
          </p>
        </Empty>
      );
    }
    const empty = a.runs === 0 ? (b.runs === 0 ? "Neither A nor B fits" : "A fits") : "B fits";
    return (
      <Empty title={`${empty} ${empty.startsWith("Neither") ? "any" : "no"} judged run`}>
        <p>
          Make it wider: a shorter name, a longer time. A model or an agent is named as the run view shows it.
        </p>
      </Empty>
    );
  }
  const of = (metric: string): Comparison | undefined => comparisons.find((one) => one.metric === metric);
  return (
    <>
      <Sides both={both} />
      <section class="card" aria-label="Pass rate">
        <h2>Pass rate</h2>
        {sides.map((side) => {
          const one = side === "a" ? a : b;
          return (
            <div key={side} class="side-rate">
              <span class={`dot side-${side}`}>{side.toUpperCase()}</span>
              <Rate rate={one.pass_rate} interval={one.pass_rate_interval} />
              <span class="quiet">
                {one.passed} passed, {one.failed} failed
                {one.undecided > 0 && `, ${one.undecided} could not be told`}
              </span>
            </div>
          );
        })}
        <Real comparison={of("pass_rate")} />
      </section>
      <div class="plots">
        {Object.keys(a.metrics).map((metric) => (
          <section key={metric} class="card" aria-label={metricNames[metric] ?? metric}>
            <h2>{metricNames[metric] ?? metric}</h2>
            <Distribution
              a={a.metrics[metric]?.values ?? []}
              b={b.metrics[metric]?.values ?? []}
              name={metric}
            />
            <dl class="facts">
              {sides.map((side) => (
                <div key={side}>
                  <dt>{side.toUpperCase()}: mean over the queries of both</dt>
                  <dd>{figure(metric, (side === "a" ? of(metric)?.mean_a : of(metric)?.mean_b) ?? null)}</dd>
                </div>
              ))}
            </dl>
            <Real comparison={of(metric)} />
          </section>
        ))}
      </div>
      <Paths a={a} b={b} />
    </>
  );
}

function figure(metric: string, value: number | null): string {
  if (metric === "cost_usd") return money(value);
  return metric === "latency_ms" ? time(value) : number(value, 1);
}

/** Which queries are compared, and what is left out. */
function Sides({ both }: { both: Compared["sides"] }) {
  const alone = both.only_a + both.only_b;
  return (
    <p class="quiet" aria-label="What is compared">
      {both.queries === 0
        ? "No query has runs on both sides, so there is nothing to compare like with like."
        : `${counted(both.queries, "query", "queries")} with runs on both sides; each counts once.`}
      {alone > 0 && ` ${counted(alone, "query", "queries")} of one side only: left out.`}
      {both.without_query > 0 && ` ${counted(both.without_query, "run")} without a known query: left out.`}
      {both.overlap > 0 &&
        ` ${counted(both.overlap, "run")} on both sides: counted for the side with fewer runs only.`}
    </p>
  );
}

function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

const testNames: Readonly<Record<string, string>> = {
  sign: "sign test over queries",
  wilcoxon_signed_rank: "Wilcoxon signed-rank test over queries",
  fisher_exact: "Fisher's exact test over runs",
  mann_whitney: "Mann–Whitney test over runs",
  stratified_fisher: "exact test over runs, by query",
  stratified_mann_whitney: "Mann–Whitney test over runs, by query",
};

/** Whether the difference is more than chance shows, and the statistic that was tested. */
function Real({ comparison }: { comparison: Comparison | undefined }) {
  const p = comparison?.p_adjusted ?? null;
  if (comparison === undefined || p === null || comparison.effect === null) {
    return (
      <p class="quiet">Not enough is known to compare{comparison?.reason && `: ${comparison.reason}`}.</p>
    );
  }
  const { effect, higher, lower, equal, test } = comparison;
  const shown = p < 0.001 ? "p < 0.001" : `p = ${p.toFixed(3)}`;
  const queries = `higher in ${higher}, lower in ${lower}, equal in ${counted(equal, "query", "queries")}`;
  const basis = `${changeOf(comparison)}; ${queries}; ${testNames[test ?? ""] ?? ""}, ${shown}`;
  if (p >= level) return <p class="quiet">No difference that chance would not show as well ({basis}).</p>;
  return (
    <p>
      <strong>A real difference:</strong> B is {effect > 0 ? "higher" : "lower"} ({basis}).
    </p>
  );
}

/** The typical change per query; of the pass rate, the difference. */
function changeOf({ metric, effect, change }: Comparison): string {
  if (change === null) return metric === "pass_rate" ? `${signed(100 * (effect ?? 0))} points` : "";
  const show = (value: number): string =>
    change.scale === "ratio" ? `${signed(100 * value)} %` : signed(value);
  const range =
    change.low === null || change.high === null ? "" : `, ${show(change.low)} to ${show(change.high)}`;
  return `${show(change.estimate)} per query${range}`;
}

function signed(value: number): string {
  return `${value < 0 ? "−" : "+"}${Number(Math.abs(value).toFixed(1))}`;
}

function Paths({ a, b }: { a: SideJson; b: SideJson }) {
  const keys = new Map<string, { tools: readonly string[]; a: number; b: number }>();
  for (const side of sides) {
    const of = side === "a" ? a : b;
    for (const { tools, runs } of of.paths) {
      const key = JSON.stringify(tools);
      const one = keys.get(key) ?? { tools, a: 0, b: 0 };
      one[side] += runs / of.runs;
      keys.set(key, one);
    }
  }
  const rows = [...keys.values()].sort((one, other) => Math.abs(other.a - other.b) - Math.abs(one.a - one.b));
  return (
    <section class="card" aria-labelledby="paths-title">
      <h2 id="paths-title">Paths, by how much they differ</h2>
      <table class="paths">
        <thead>
          <tr>
            <th scope="col">Tools in order</th>
            <th scope="col">A</th>
            <th scope="col">B</th>
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, 20).map(({ tools, a: inA, b: inB }) => (
            <tr key={tools.join("\n")}>
              <td>{tools.length === 0 ? <span class="quiet">no tools</span> : folded(tools)}</td>
              <td>{percent(inA)}</td>
              <td>{percent(inB)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** `search ×3 → answer`. */
function folded(tools: readonly string[]): string {
  const parts: { name: string; times: number }[] = [];
  for (const name of tools) {
    const last = parts.at(-1);
    if (last?.name === name) last.times++;
    else parts.push({ name, times: 1 });
  }
  return parts.map(({ name, times }) => (times === 1 ? name : `${name} ×${times}`)).join(" → ");
}
