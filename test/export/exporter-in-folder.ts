import {
  createVerdictExporter,
  type VerdictExporterOptions,
  outputNames,
  type VerdictExporter,
} from "../../src/export/exporter.ts";
import { type ExportEvents, silentEvents } from "../../src/export/records/export-events.ts";
import { openDiskQueues } from "../../src/export/queue/open-disk-queues.ts";
import type { ExportSettings } from "../../src/export/settings.ts";
import { exportDefaults } from "../support/settings-defaults.ts";

export interface InFolder extends Partial<Omit<VerdictExporterOptions, "settings" | "events">> {
  readonly folder: string;
  readonly settings: Partial<ExportSettings>;
  readonly events?: Partial<ExportEvents>;
}

/** An exporter whose outputs have disk queues in a folder, as one of `serve` has. */
export async function exporterInFolder({
  folder,
  settings: given,
  events,
  ...options
}: InFolder): Promise<VerdictExporter> {
  const settings = { ...exportDefaults, ...given };
  const diskQueues = await openDiskQueues({
    dir: folder,
    outputs: outputNames(settings),
    budgetBytes: 2 ** 22,
    sync: false,
    mayYield: false,
    onYield: () => undefined,
    onDamage: () => undefined,
    onError: () => undefined,
  });
  return createVerdictExporter({
    settings,
    diskQueues,
    version: "1.2.3",
    resource: {},
    render: () => "{}",
    lateWindowMs: 1000,
    events: { ...silentEvents, ...events },
    ...options,
  });
}
