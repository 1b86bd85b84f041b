import { leftOutBecause } from "../../../src/model/not-judged.ts";
import { brief, counted, measured, number } from "../format.ts";
import { ExpectedFail, OutcomeMark } from "../parts/outcome.tsx";
import { ToolTable } from "../parts/tool-table.tsx";
import { parameter, setParameters } from "../route.ts";
import { type CheckJson, type Layer, layers, outcomes, type RunJson, type VerdictJson } from "../types.ts";

/** A check and the id that it has in the URL, which consists of layer, key and index. */
export interface PlacedCheck {
  readonly id: string;
  readonly layer: Layer;
  readonly check: CheckJson;
}

/** Returns all checks, those with the worst outcome first. Checks with equal outcomes are in the order of the layers. */
function checksInOrder(verdict: VerdictJson): readonly PlacedCheck[] {
  const placed = layers.flatMap((layer) =>
    verdict.layers[layer].checks.map((check, at) => ({ id: `${layer}.${check.check}.${at}`, layer, check })),
  );
  return placed.toSorted((a, b) => outcomes.indexOf(a.check.outcome) - outcomes.indexOf(b.check.outcome));
}

/** Returns the check that is selected in the URL; if none is, the worst check that did not pass. */
export function chosenCheck(verdict: VerdictJson | undefined): PlacedCheck | undefined {
  if (verdict === undefined) return undefined;
  const wanted = parameter("check");
  const all = checksInOrder(verdict);
  const named = all.find(({ id }) => id === wanted);
  return named ?? (wanted === "" ? all.find(({ check }) => isUnmet(check)) : undefined);
}

function isUnmet({ outcome }: CheckJson): boolean {
  return outcome !== "pass" && outcome !== "skip";
}

/** Selects a check (none if `id` is empty), and opens its first evidence. */
function chooseCheck(id: string): void {
  setParameters({ check: id === "" ? "none" : id, step: "" });
}

/** The three layers, the worst first, with their checks, and details of the selected check. */
export function Layers({ verdict, run }: { verdict: VerdictJson; run: RunJson }) {
  const all = checksInOrder(verdict);
  const chosen = chosenCheck(verdict);
  const unmet = all.filter(({ check }) => isUnmet(check));
  const place = unmet.findIndex(({ id }) => id === chosen?.id);
  const keys = { "[": unmet[place - 1]?.id, "]": unmet[place + 1]?.id };
  const sorted = layers.toSorted(
    (a, b) => outcomes.indexOf(verdict.layers[a].outcome) - outcomes.indexOf(verdict.layers[b].outcome),
  );
  return (
    <div class="layer-cards">
      {sorted.map((layer) => {
        const { outcome, reason } = verdict.layers[layer];
        const own = all.filter((one) => one.layer === layer);
        const open = own.filter((one) => isUnmet(one.check));
        const folded = own.filter((one) => !isUnmet(one.check));
        return (
          <section key={layer} class={`card layer-card ${outcome}`} aria-label={layer}>
            <h2>
              {layer} <OutcomeMark outcome={outcome} />
            </h2>
            {own.length === 0 && <p class="quiet">{reason}</p>}
            <CheckList checks={open} chosen={chosen} run={run} keys={keys} />
            {folded.length > 0 && (
              <details open={folded.some(({ id }) => id === parameter("check"))}>
                <summary class="quiet">{foldedWords(folded)}</summary>
                <CheckList checks={folded} chosen={chosen} run={run} />
              </details>
            )}
          </section>
        );
      })}
    </div>
  );
}

/** Returns a text such as `2 checks pass, 1 skipped, 1 not judged: judges are off`. */
function foldedWords(checks: readonly PlacedCheck[]): string {
  const passed = checks.filter(({ check }) => check.outcome === "pass").length;
  const reasons = checks.flatMap(({ check }) => leftOutBecause(check) ?? []);
  const skipped = checks.length - passed - reasons.length;
  const parts = [
    ...(passed > 0 ? [`${counted(passed, "check")} ${passed === 1 ? "passes" : "pass"}`] : []),
    ...(skipped > 0 ? [`${skipped} skipped`] : []),
    ...(reasons.length > 0 ? [`${reasons.length} not judged: ${[...new Set(reasons)].join("; ")}`] : []),
  ];
  return parts.join(", ");
}

interface CheckListProps {
  readonly checks: readonly PlacedCheck[];
  readonly chosen: PlacedCheck | undefined;
  readonly run: RunJson;
  /** The keys of the keyboard that select checks, by the id of the check. */
  readonly keys?: Readonly<Record<string, string | undefined>>;
}

function CheckList({ checks, chosen, run, keys = {} }: CheckListProps) {
  return (
    <ul>
      {checks.map(({ check, id }) => (
        <li key={id}>
          <button
            type="button"
            class="check"
            aria-pressed={chosen?.id === id}
            data-key={Object.keys(keys).find((key) => keys[key] === id)}
            onClick={() => chooseCheck(chosen?.id === id ? "" : id)}
          >
            <OutcomeMark outcome={check.outcome} small />
            <span>
              <strong>{check.check}</strong>
              {check.turn !== undefined && <span class="quiet"> turn {check.turn}</span>}
              {check.expected_fail === true && <ExpectedFail />}
              <span class="finding">{check.message}</span>
            </span>
          </button>
          {check.remedy !== null && <p class="remedy">{check.remedy}</p>}
          {chosen?.id === id && <Evidence check={check} run={run} />}
        </li>
      ))}
    </ul>
  );
}

const expecting = ["expected_tool_sequence", "expected_tools", "expected_steps"];

function Evidence({ check, run }: { check: CheckJson; run: RunJson }) {
  const { value, limit, source, span_ids: spanIds, missing, judge } = check;
  const tools = namesIn(limit);
  const isForbidding = check.check === "forbidden_tools";
  const showsTools = tools !== null && (isForbidding || expecting.includes(check.check));
  return (
    <div class="evidence">
      {showsTools ? (
        <ToolTable
          called={run.tools.filter(({ executed }) => executed !== false).map(({ name }) => name)}
          expected={isForbidding ? null : tools}
          forbidden={isForbidding ? tools : []}
        />
      ) : (
        <dl class="facts">
          <Fact name={typeof value === "boolean" ? "holds" : "measured"} value={measuredText(check)} />
          <Fact name="limit" value={namesIn(limit)?.join(", ") ?? limitText(check)} />
          {missing.length > 0 && <Fact name="not in the telemetry" value={missing.join(", ")} />}
        </dl>
      )}
      <p class="quiet">
        {[
          ...(spanIds.length > 0 ? [`evidence: ${counted(spanIds.length, "span")}`] : []),
          ...(source !== null ? [`required in ${source.file}:${source.line}`] : []),
        ].join(" · ")}
      </p>
      {judge !== null && (
        <div class="judge">
          <h4>
            Judge {judge.model}
            {judge.score !== null && `, score ${number(judge.score, 3)}`}
            {judge.label !== null && `, ${judge.label}`}
          </h4>
          {judge.rationale !== null && <p>{judge.rationale}</p>}
          {judge.votes.length > 1 && (
            <ul>
              {judge.votes.map((vote, at) => (
                <li key={at}>
                  {vote.model}:{" "}
                  {vote.error ??
                    `${vote.score === null ? "" : number(vote.score, 3)} ${vote.label ?? ""} ${vote.rationale ?? ""}`}
                </li>
              ))}
            </ul>
          )}
        </div>
      )}
    </div>
  );
}

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

/** Returns the items of a limit if it is a list of names; otherwise null. */
function namesIn(limit: CheckJson["limit"]): readonly string[] | null {
  return Array.isArray(limit) && limit.every((name) => typeof name === "string") ? limit : null;
}

/** Returns the value of a check as text. For a value that is true or false, the text is yes or no. */
function measuredText({ check, value }: CheckJson): string {
  if (value === null) return "not possible";
  if (typeof value === "number") return measured(check, value);
  return typeof value === "boolean" ? (value ? "yes" : "no") : brief(value, 300);
}

function limitText({ check, limit }: CheckJson): string {
  return typeof limit === "number" ? measured(check, limit) : brief(limit, 300);
}
