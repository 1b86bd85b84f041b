import type { Explanation } from "../../model/explanation.ts";
import type { AgentRun } from "../../model/run.ts";
import type { Evidence } from "../evidence.ts";
import { FragmentBoundary } from "../waiting/fragment-boundary.ts";
import { leavesOf, takesOf } from "../waiting/links.ts";
import { passed, shown, spanSource } from "./sources.ts";

/** Why a run is separate from others in its trace, and which links join its traces. */
export function explainTraces(run: AgentRun, evidence: Evidence): Explanation[] {
  return [...turn(run, evidence), ...joined(evidence)];
}

function turn(run: AgentRun, { fragments: [{ isTurn }], root, calls }: Evidence): Explanation[] {
  if (!isTurn) return [];
  const around = root.parent;
  const why = "has several turns of a conversation; each is a run";
  return [
    {
      fact: "run_id",
      value: run.runId,
      from: [spanSource(calls[0]?.node ?? root, run.query ?? root.span.name)],
      passedOver: around === null ? [] : [passed(spanSource(around, around.span.name), why)],
      note: "a turn: its first model call was sent words of a user, and no agent or tool had spoken since",
      precedence: null,
    },
  ];
}

/** For each trace after the first: the link by which it continues an earlier one. */
function joined({ fragments }: Evidence): Explanation[] {
  if (fragments.length < 2) return [];
  const boundaries = fragments.map((fragment) => new FragmentBoundary(fragment));
  return boundaries.slice(1).map((boundary, index): Explanation => {
    const { traceId, root } = boundary.fragment;
    const taken = takesOf(boundary).flat();
    const earlier = boundaries.slice(0, index + 1).reverse();
    const link = taken.find((one) => earlier.some((other) => leavesOf(other).includes(one)));
    const left = link === undefined ? undefined : earlier.find((other) => leavesOf(other).includes(link));
    return {
      fact: `trace_ids[${index + 1}]`,
      value: traceId,
      from: [left?.fragment.root ?? root].map((node) => spanSource(node, node.span.name)),
      passedOver: [],
      note:
        link === undefined
          ? "another view of a call or tool of the run"
          : `it continues trace ${left?.fragment.traceId ?? ""}: ${shown(link)}`,
      precedence: null,
    };
  });
}
