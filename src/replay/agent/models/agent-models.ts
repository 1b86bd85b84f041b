import type { PlaybackSaving } from "../../../model/playback.ts";
import type { ExecOptions } from "../process/exec-call.ts";
import type { AgentCall, Askable, CallPlan } from "../call.ts";

/**
 * Makes one call of the agent in the given environment, and stores its telemetry in the plan's folder.
 * @param openModels opens a server that records the model calls of a process and passes them to the provider
 */
export type StartCall = (
  plan: CallPlan,
  env: NodeJS.ProcessEnv,
  openModels?: ExecOptions["openModels"],
) => Promise<AgentCall>;

/** Source of answers for an agent's model calls. The caller must close the source. */
export interface AgentModels {
  /** Returns the calls to make. If absent, each question is sent as often as `--runs` says. */
  readonly plans?: (
    questions: readonly Askable[],
    folderOf: (query: CallPlan["query"], number: number) => string,
  ) => readonly CallPlan[];
  /** Makes one call, with retries if needed, and returns its result. */
  readonly call: (plan: CallPlan, start: StartCall) => Promise<AgentCall>;
  /** Whether the agent has one base URL for all its calls. Only one call may then run at a time. */
  readonly isSerial?: boolean;
  /** Returns the cost that recorded answers saved. Absent with live models. */
  readonly saving?: () => PlaybackSaving;
  readonly close: () => Promise<void>;
}
