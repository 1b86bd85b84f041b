import {
  createVerdictExporter,
  outputNames,
  type VerdictExporter,
  type VerdictExporterOptions,
} from "../../export/exporter.ts";
import type { ExportSettings } from "../../export/settings.ts";
import { noSpills, openSpills, type Spills } from "../../export/queue/spills.ts";
import type { Log } from "../../telemetry/log.ts";

/** Where outputs keep on the disk what they cannot send. */
export interface OutputQueueSettings {
  readonly dir: string;
  /** Whether it has to survive a loss of power, or a crash of the process only. */
  readonly sync: boolean;
  /** Nobody chose the folder: without it outputs keep things in memory, which is said. */
  readonly mayYield: boolean;
}

/**
 * Rejects with `JournalOpenError` when the folder cannot be used and was chosen, with `EndpointError` and `BlockedAddressError` for
 * addresses that cannot be used.
 */
export async function openOutputs(
  queues: OutputQueueSettings | undefined,
  options: Omit<VerdictExporterOptions, "spills">,
  log: Log,
): Promise<VerdictExporter> {
  const spills = queues === undefined ? noSpills : await openQueues(queues, options.settings, log);
  try {
    return createVerdictExporter({ ...options, spills });
  } catch (error) {
    await spills.close();
    throw error;
  }
}

function openQueues(queues: OutputQueueSettings, exported: ExportSettings, log: Log): Promise<Spills> {
  return openSpills({
    ...queues,
    outputs: outputNames(exported),
    budgetBytes: exported.queueBytes,
    onYield: (error) =>
      log.warn(`what an output cannot send is kept in memory only, and lost at the end: ${error.message}`),
    onError: (error) => log.error({ err: error }, "what an output could not send cannot be kept"),
  });
}
