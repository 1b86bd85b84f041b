import type { AgentRun } from "../model/run.ts";
import { decide, type Decision, type Sampling } from "./decisions.ts";
import type { JudgedRun, Pending } from "./judge-run.ts";

type Judge = (run: AgentRun) => JudgedRun | Pending;

/**
 * Returns a judge that evaluates only sampled runs. The sampling decision uses the results of checks without judge models, so runs that are
 * not sampled cause no model calls. They get no verdict.
 * @param sampling returns the current settings
 */
export function sampledJudge(
  judge: Judge,
  sampling: () => Sampling,
  onDecision: (decision: Decision) => void,
): Judge {
  return (run) => {
    const found = judge(run);
    const seen = "verdicts" in found ? found : found.giveUp({ judge: "off" });
    const decision = decide(seen, sampling());
    onDecision(decision);
    if (decision.decision !== "sampled_out") return found;
    return { run, verdicts: [], matched: [], unmatched: [], ambiguous: [], isSampledOut: true };
  };
}
