import { z } from "zod";
import { type CheckContext, defineCheck, type Finding } from "../check.ts";
import { counted, limitCheck, wholeNumber } from "../limit-check.ts";
import { incomplete, pass, spanIdsOf, violated } from "../../result/finding.ts";
import { foldName } from "../../rules/fold-name.ts";
import { listed } from "../../rules/text.ts";

/** Check for AgentCI's `expected_handoff`. */
export const expectedHandoff = defineCheck({
  key: "expected_handoff",
  layer: "path",
  summary: "The run handed over to this agent.",
  details: "Case and separators of names make no difference.",
  limit: z.string().min(1),
  evaluate(context, limit) {
    const wanted = foldName(limit);
    const targets = targetsOf(context);
    if (targets.some((target) => foldName(target) === wanted))
      return pass(targets, `handed over to ${limit}`);
    if (context.metrics.lacks("handoffs")) return hidden(context);
    return violated(targets, `expected a hand-off to ${limit}; ${happened(targets)}`, spans(context));
  },
});

export const expectedHandoffs = defineCheck({
  key: "expected_handoffs",
  layer: "path",
  summary: "The run handed over to the listed agents in this order. Other hand-offs may come between.",
  details: "Names are compared as in `expected_handoff`.",
  limit: z.array(z.string().min(1)).min(1),
  evaluate(context, limit) {
    const targets = targetsOf(context);
    let next = 0;
    for (const target of targets) {
      if (next < limit.length && foldName(target) === foldName(limit[next] ?? "")) next++;
    }
    if (next === limit.length) return pass(targets, `handed over to ${limit.join(" → ")}`);
    if (context.metrics.lacks("handoffs")) return hidden(context);
    const after = next === 0 ? "" : ` after ${limit[next - 1]}`;
    const absent = `no hand-off to ${limit[next]}${after}`;
    return violated(targets, `${absent}; ${happened(targets)}`, { ...spans(context), faults: [absent] });
  },
});

/** Check for AgentCI's `expected_handoffs_available`. */
export const expectedHandoffsAvailable = defineCheck({
  key: "expected_handoffs_available",
  layer: "path",
  summary: "Each listed agent was available as a hand-off target.",
  details: "`incomplete` if the telemetry does not list the available agents.",
  limit: z.array(z.string().min(1)),
  evaluate(context, limit) {
    const offered = context.run.handoffsAvailable;
    if (offered === null) {
      return incomplete("handoffs_available", "the available agents were not recorded", context.run);
    }
    const folded = new Set(offered.map(foldName));
    const absent = limit.filter((name) => !folded.has(foldName(name)));
    if (absent.length === 0) return pass([...offered], "every expected agent was available");
    const message = `${listed(absent)} not available; available: ${listed(offered)}`;
    return violated([...offered], message, { ...spans(context), faults: absent });
  },
});

/** Check for AgentCI's `max_handoff_count`. */
export const maxHandoffCount = limitCheck({
  key: "max_handoff_count",
  layer: "path",
  metric: "handoffs",
  summary: "At most this many hand-offs.",
  limit: wholeNumber,
  bound: "at most",
  undoable: false,
  measured: () => ({
    shown: counted("hand-off"),
    measure: ({ run }) => run.handoffs.length,
    open: (context, holds) => (holds && context.metrics.lacks("handoffs") ? hidden(context) : undefined),
    proof: (context) => ({ text: `: ${targetsOf(context).join(" → ")}`, ...spans(context) }),
  }),
});

function targetsOf(context: CheckContext): readonly string[] {
  return context.run.handoffs.map(({ to }) => to);
}

function happened(targets: readonly string[]): string {
  return targets.length === 0 ? "no hand-off happened" : `happened: ${targets.join(" → ")}`;
}

function hidden(context: CheckContext): Finding {
  return incomplete("handoffs", "the telemetry may lack hand-offs", context.run);
}

function spans({ run }: CheckContext): { readonly spanIds: readonly string[] } {
  return { spanIds: spanIdsOf(run.handoffs) };
}
