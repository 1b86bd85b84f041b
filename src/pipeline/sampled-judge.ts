import type { AgentRun } from "../model/run.ts";
import { decide, type Decision, type Sampling } from "./decisions.ts";
import type { JudgedRun, Pending } from "./judge-run.ts";

type Judge = (run: AgentRun) => JudgedRun | Pending;

/**
 * The same judge for a share of the runs. Whether a run belongs to it is seen from its verdict without judges, which costs no model a question;
 * a run that does not has no verdict.
 */
export function sampledJudge(
  judge: Judge,
  sampling: Sampling,
  onDecision: (decision: Decision) => void,
): Judge {
  return (run) => {
    const found = judge(run);
    const seen = "verdicts" in found ? found : found.giveUp({ judge: "off" });
    const decision = decide(seen, sampling);
    onDecision(decision);
    if (decision.decision !== "sampled_out") return found;
    return { run, verdicts: [], matched: [], unmatched: [], ambiguous: [], isSampledOut: true };
  };
}
