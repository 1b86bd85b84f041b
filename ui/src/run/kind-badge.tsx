import type { Row } from "./rows.ts";

const letters: Readonly<Record<Row["kind"], string>> = {
  run: "A",
  model: "M",
  tool: "T",
  retrieval: "R",
  handoff: "H",
  guardrail: "G",
  span: "·",
};

/** The kind of a step: a letter, and a word for screen readers. */
export function KindBadge({ kind }: { kind: Row["kind"] }) {
  return (
    <span class={`kind-badge ${kind}`} title={kind}>
      <span aria-hidden="true">{letters[kind]}</span>
      <span class="hidden">{kind} </span>
    </span>
  );
}
