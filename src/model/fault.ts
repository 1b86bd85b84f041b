/** Stages in which a trace or run can fail, in pipeline order. */
export const faultStages = ["resume", "assemble", "read", "stitch", "match", "judge", "publish"] as const;
export type FaultStage = (typeof faultStages)[number];

/** An internal error of Tracejury that occurred while it processed a run. The run's steps, answer and cost are then unknown. */
export interface Fault {
  readonly stage: FaultStage;
  /** One sentence with the message of the exception. */
  readonly message: string;
}

const doing: Readonly<Record<FaultStage, string>> = {
  resume: "resumed",
  assemble: "assembled",
  read: "read",
  stitch: "joined from its traces",
  match: "matched to its query",
  judge: "judged",
  publish: "reported",
};

const LONGEST = 200;

export function faultOf(stage: FaultStage, thrown: unknown): Fault {
  const { name, message } = thrown instanceof Error ? thrown : new Error(String(thrown));
  const short = message.length > LONGEST ? `${message.slice(0, LONGEST)}…` : message;
  return {
    stage,
    message: `the run could not be ${doing[stage]}, because of an exception (${name}: ${short})`,
  };
}

export const FAULT_REMEDY =
  "This is an error of Tracejury, not of the agent. Report it together with the trace. Other traces are still judged.";
