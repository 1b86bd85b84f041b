import type { Fault, FaultStage } from "../../model/fault.ts";
import { faultOf } from "../../model/fault.ts";
import type { SourceLine } from "../../model/source-line.ts";

/** An error while one trace, or a run of it, was processed. The trace is finished; nothing else is affected. */
export interface TraceFault extends Fault {
  readonly traceId: string;
  /** Where in a dump it was read, if known. */
  readonly source: SourceLine | undefined;
  readonly error: unknown;
}

export type OnFault = (fault: TraceFault) => void;

export function traceFault(
  stage: FaultStage,
  error: unknown,
  { traceId, source }: { readonly traceId: string; readonly source?: SourceLine | undefined },
): TraceFault {
  return { ...faultOf(stage, error), traceId, source, error };
}
