import { brief, counted } from "../format.ts";
import { OutcomeMark } from "../parts/outcome.tsx";
import { parameter, setParameters } from "../route.ts";
import { type CheckJson, type Layer, layers, outcomes, type VerdictJson } from "../types.ts";

/** A check's name in the address: layer, key and place in the layer. */
function checkId(layer: Layer, check: CheckJson, at: number): string {
  return `${layer}.${check.check}.${at}`;
}

/** The check that the address names. */
export function chosenCheck(verdict: VerdictJson | undefined): CheckJson | undefined {
  const wanted = parameter("check");
  if (verdict === undefined || wanted === "") return undefined;
  for (const layer of layers) {
    const found = verdict.layers[layer].checks.find((check, at) => checkId(layer, check, at) === wanted);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The three layers: why each came out as it did, and each check with what it rests on. */
export function Layers({ verdict }: { verdict: VerdictJson }) {
  return (
    <div class="layer-cards">
      {layers.map((layer) => {
        const { outcome, reason, checks } = verdict.layers[layer];
        const numbered = checks.map((check, at) => ({ check, id: checkId(layer, check, at) }));
        numbered.sort((a, b) => outcomes.indexOf(a.check.outcome) - outcomes.indexOf(b.check.outcome));
        return (
          <section key={layer} class={`card layer-card ${outcome}`} aria-label={layer}>
            <h2>
              {layer} <OutcomeMark outcome={outcome} />
            </h2>
            <p class="quiet">{reason}</p>
            <ul>
              {numbered.map(({ check, id }) => (
                <li key={id}>
                  <Check check={check} id={id} />
                </li>
              ))}
            </ul>
          </section>
        );
      })}
    </div>
  );
}

function Check({ check, id }: { check: CheckJson; id: string }) {
  const chosen = parameter("check") === id;
  return (
    <>
      <button type="button" class="check" aria-pressed={chosen} onClick={() => choose(chosen ? "" : id)}>
        <OutcomeMark outcome={check.outcome} small />
        <span>
          <strong>{check.check}</strong>
          {check.turn !== undefined && <span class="quiet"> turn {check.turn}</span>}
          <span class="finding">{check.message}</span>
        </span>
      </button>
      {check.remedy !== null && <p class="remedy">{check.remedy}</p>}
      {chosen && <Evidence check={check} />}
    </>
  );
}

/** Where the steps are below the checks, they are brought into view. */
function choose(id: string): void {
  setParameters({ check: id, step: "" });
  const steps = document.querySelector(".waterfall");
  if (id === "" || steps === null || steps.getBoundingClientRect().top < window.innerHeight / 2) return;
  steps.scrollIntoView({ behavior: "smooth" });
}

function Evidence({ check }: { check: CheckJson }) {
  const { value, limit, source, span_ids, missing, judge } = check;
  return (
    <div class="evidence">
      <dl class="facts">
        <div>
          <dt>measured</dt>
          <dd>{value === null ? "could not be" : brief(value, 300)}</dd>
        </div>
        <div>
          <dt>limit</dt>
          <dd>{brief(limit, 300)}</dd>
        </div>
        <div>
          <dt>rests on</dt>
          <dd>{span_ids.length === 0 ? "the run as a whole" : counted(span_ids.length, "span")}</dd>
        </div>
        {source !== null && (
          <div>
            <dt>asked for in</dt>
            <dd>
              {source.file}:{source.line}
            </dd>
          </div>
        )}
        {missing.length > 0 && (
          <div>
            <dt>not told</dt>
            <dd>{missing.join(", ")}</dd>
          </div>
        )}
      </dl>
      {judge !== null && (
        <div class="judge">
          <h4>
            Judge {judge.model}
            {judge.score !== null && `, score ${judge.score}`}
            {judge.label !== null && `, ${judge.label}`}
          </h4>
          {judge.rationale !== null && <p>{judge.rationale}</p>}
          {judge.votes.length > 1 && (
            <ul>
              {judge.votes.map((vote, at) => (
                <li key={at}>
                  {vote.model}:{" "}
                  {vote.error ?? `${vote.score ?? ""} ${vote.label ?? ""} ${vote.rationale ?? ""}`}
                </li>
              ))}
            </ul>
          )}
        </div>
      )}
    </div>
  );
}
