import { type Layer, layers, type Outcome, type VerdictJson } from "../types.ts";

const glyphs: Readonly<Record<Outcome, string>> = {
  pass: "✓",
  warn: "▲",
  fail: "✗",
  error: "!",
  incomplete: "?",
  skip: "–",
};

/** An outcome as a symbol and a word, so that the colour is not needed. */
export function OutcomeMark({ outcome, small = false }: { outcome: Outcome | null; small?: boolean }) {
  if (outcome === null) return <span class="mark none">○ {small ? "" : "not judged"}</span>;
  return (
    <span class={`mark ${outcome}`}>
      <span aria-hidden="true">{glyphs[outcome]}</span>{" "}
      {small ? <span class="hidden">{outcome}</span> : outcome}
    </span>
  );
}

const shortNames: Readonly<Record<Layer, string>> = { correctness: "answer", path: "path", cost: "cost" };

/** A mark for a verdict of a query with `expected_fail`. */
export function ExpectedFail() {
  return (
    <span class="badge" title="The query has expected_fail: true: a failure warns, a pass fails">
      expected fail
    </span>
  );
}

export function LayerMarks({ outcomes }: { outcomes: Readonly<Record<Layer, Outcome>> }) {
  return (
    <span class="layers">
      {layers.map((layer) => (
        <span key={layer} class={`layer ${outcomes[layer]}`} title={`${layer}: ${outcomes[layer]}`}>
          <span aria-hidden="true">{glyphs[outcomes[layer]]}</span> {shortNames[layer]}
          <span class="hidden"> {outcomes[layer]}</span>
        </span>
      ))}
    </span>
  );
}

export function layerOutcomes({ layers: of }: VerdictJson): Record<Layer, Outcome> {
  return { correctness: of.correctness.outcome, path: of.path.outcome, cost: of.cost.outcome };
}
