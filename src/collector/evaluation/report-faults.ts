import type { OnFault } from "../../pipeline/faults/faulty-run.ts";
import { limitedLog, type Log } from "../../support/telemetry/log/log.ts";
import type { Recorder } from "../../support/telemetry/metrics/recorder.ts";

/** Returns a function that counts and logs each fault. The log lines are limited, because a sender can cause many faults. */
export function reportFaults(log: Log, recorder: Recorder): OnFault {
  const limited = limitedLog(log);
  return ({ stage, traceId, message, error }) => {
    recorder.count("tracejury.faults", 1, [stage]);
    limited.error(
      { err: error, trace_id: traceId, reason: stage, fault: message },
      "an internal error of Tracejury ended the processing of a trace; other traces are not affected. Report the error",
    );
  };
}
