import type { Fault, FaultStage } from "../../model/fault.ts";
import { faultOf } from "../../model/fault.ts";
import type { SourceLine } from "../../model/source-line.ts";

/** Work on one trace, or on a run of it, that threw. The trace is done with; nothing else is touched. */
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
