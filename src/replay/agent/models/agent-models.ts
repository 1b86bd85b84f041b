import type { PlaybackSaving } from "../../../model/playback.ts";
import type { ExecOptions } from "../process/exec-call.ts";
import type { AgentCall, Askable, CallPlan } from "../call.ts";

/**
 * Makes one call of the agent in this environment, and stores its telemetry in the plan's folder.
 * @param openModels opens a server that answers the model calls of the agent process, or forwards them to the provider and records them
 */
export type StartCall = (
  plan: CallPlan,
  env: NodeJS.ProcessEnv,
  openModels?: ExecOptions["openModels"],
) => Promise<AgentCall>;

/** Answers the model calls of an agent, or records them. The caller must close the object. */
export interface AgentModels {
  /** Returns the calls of the agent that the test makes. If absent, the agent is called `--runs` times for each question. */
  readonly plans?: (
    questions: readonly Askable[],
    folderOf: (query: CallPlan["query"], number: number) => string,
  ) => readonly CallPlan[];
  /** Makes one call of the agent, and repeats it if needed. */
  readonly call: (plan: CallPlan, start: StartCall) => Promise<AgentCall>;
  /** Whether the agent has one base URL for all its calls. If true, only one call may run at a time. */
  readonly isSerial?: boolean;
  /** Returns the cost that was saved by recorded answers. Absent with live models. */
  readonly saving?: () => PlaybackSaving;
  readonly close: () => Promise<void>;
}
