import {
  createVerdictExporter,
  outputNames,
  type VerdictExporter,
  type VerdictExporterOptions,
} from "../../export/exporter.ts";
import { noDiskQueues, openDiskQueues, type DiskQueues } from "../../export/queue/open-disk-queues.ts";
import type { DamageReport, StorageDamage } from "../../support/telemetry/reports/damage-report.ts";
import { limitedLog, type Log } from "../../support/telemetry/log/log.ts";

/** Settings of the disk queues, which store records that the outputs could not deliver. */
export interface OutputQueueSettings {
  readonly dir: string;
  /** Whether each write is synced to disk, so that queued records survive a power failure, too, not only a crash of the process. */
  readonly sync: boolean;
  /**
   * Whether the folder is the default. If the default folder cannot be used, the queues are in memory, and a warning is logged. If a folder
   * that the configuration names cannot be used, the start fails.
   */
  readonly mayYield: boolean;
}

/**
 * Opens all outputs. Rejects with `JournalOpenError` if a configured folder cannot be used, and with `EndpointError` or
 * `BlockedAddressError` if an address cannot be used.
 */
export async function openOutputs(
  queues: OutputQueueSettings | undefined,
  options: Omit<VerdictExporterOptions, "diskQueues">,
  log: Log,
  damage: DamageReport,
): Promise<VerdictExporter> {
  const { settings } = options;
  const onDamage = (where: string, found: StorageDamage): void => damage.found("export", where, found);
  const about = { outputs: outputNames(settings), queueBytes: settings.queueBytes, log, onDamage };
  const diskQueues = queues === undefined ? noDiskQueues : await openQueues({ ...queues, ...about });
  try {
    return createVerdictExporter({ ...options, diskQueues });
  } catch (error) {
    await diskQueues.close();
    throw error;
  }
}

export interface OpenQueuesOptions extends OutputQueueSettings {
  readonly outputs: readonly string[];
  /** Maximum size of each queue in bytes. */
  readonly queueBytes: number;
  readonly log: Log;
  /** @param where folder of the damaged queue */
  readonly onDamage: (where: string, found: StorageDamage) => void;
}

/** Opens the disk queues. Rejects with `JournalOpenError` if a configured folder cannot be used. */
export function openQueues({ queueBytes, log, ...options }: OpenQueuesOptions): Promise<DiskQueues> {
  const limited = limitedLog(log);
  return openDiskQueues({
    ...options,
    budgetBytes: queueBytes,
    onYield: (error) =>
      log.warn(
        `undelivered records stay only in memory, and are lost when the process ends: ${error.message}`,
      ),
    onError: (error) =>
      limited.error(
        { err: error },
        "undelivered records cannot be written to their disk queue, so they wait in memory: check the free disk space and the permissions of data_dir",
      ),
  });
}
