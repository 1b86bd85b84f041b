import type { AgentRun } from "../model/run.ts";
import { decide, type Decision, type Sampling } from "./decisions.ts";
import type { JudgedRun, Pending } from "./judge-run.ts";

type Judge = (run: AgentRun) => JudgedRun | Pending;

/**
 * Returns a judge that evaluates only the sampled runs. Sampling uses the results of checks without judge models, so excluded runs cause no
 * model calls. Excluded runs get no verdict.
 * @param sampling returns the settings as of now
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
