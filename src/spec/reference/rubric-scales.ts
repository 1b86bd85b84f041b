import { anchorProblem } from "../../evaluate/judge/prompt/anchors.ts";
import { type DocumentNode, entryOf, itemsAt, nodeAt } from "../document/node.ts";
import { warningAt, type Problem } from "../document/problems/problem.ts";

const DEFAULT_THRESHOLD = 0.5;

const ownRubrics = ["safety_check", "hallucination_check", "refutes_premise"];

/** Reports rubrics whose scale or threshold does not match the scores of judges (1 to 5). */
export function rubricScales(query: DocumentNode): Problem[] {
  const rubrics = [
    ...itemsAt(query, "correctness", "llm_judge"),
    ...ownRubrics.flatMap((key) => nodeAt(query, ["correctness", key]) ?? []),
    ...itemsAt(query, "spans").flatMap((span) => nodeAt(span, ["judge"]) ?? []),
  ];
  return rubrics.flatMap(scaleProblem);
}

function scaleProblem(rubric: DocumentNode): Problem[] {
  const scale = nodeAt(rubric, ["scale"]);
  if (scale?.kind !== "list" || entryOf(rubric, "criteria")) return [];
  const anchors = scale.items.flatMap((item) => (item.kind === "scalar" ? [String(item.value)] : []));
  const found = anchorProblem(anchors, thresholdOf(rubric));
  return found === null ? [] : [warningAt(scale.at, "spec/scale", found.message, found.hint)];
}

/** Returns the threshold of a rubric; null if a template defines it. */
function thresholdOf(rubric: DocumentNode): number | null {
  const written = nodeAt(rubric, ["threshold"]);
  if (written?.kind === "scalar" && typeof written.value === "number") return written.value;
  return entryOf(rubric, "rule") ? DEFAULT_THRESHOLD : null;
}
