import type { Fault, FaultStage } from "../../model/fault.ts";
import { faultOf } from "../../model/fault.ts";
import type { SourceLine } from "../../model/source-line.ts";

/** An exception during the processing of one trace or its run. The trace is finished; other traces are not affected. */
export interface TraceFault extends Fault {
  readonly traceId: string;
  /** Position in the dump from which the trace was read, if known. */
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
