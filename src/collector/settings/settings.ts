import { join } from "node:path";
import { type Config, DEFAULT_DATA_DIR } from "../../config/config.ts";
import { EndpointError } from "../../export/otlp/endpoint.ts";
import { JournalOpenError } from "../../journal/disk/errors.ts";
import { attributesNeeded } from "../../match/rules/where.ts";
import { AddressError } from "../../support/security/addresses/address.ts";
import { BlockedAddressError, SecurityError } from "../../support/security/addresses/address-guard.ts";
import { KafkaTlsError } from "../../receive/kafka/tls-options.ts";
import type { CompiledSpec } from "../../evaluate/query/compiled.ts";
import { StoreError } from "../../store/store-error.ts";
import { UserError } from "../../support/process/io.ts";
import type { JournalSettings } from "../inputs/open-journal.ts";
import type { CollectorSettings } from "./options.ts";
import type { OutputQueueSettings } from "../outputs/outputs.ts";

/** Converts the configuration and specs into collector options. */
export function collectorSettings(config: Config, specs: readonly CompiledSpec[]): CollectorSettings {
  return {
    ...config.receive,
    kafka: config.kafka,
    models: config.models,
    admin: config.admin,
    security: config.security,
    redact: config.redact,
    store: config.store,
    changesEveryMs: config.changesEveryMs,
    memory: config.limits.memory,
    tenantHeader: config.limits.tenantHeader,
    timeouts: config.assemble,
    conversationIdleMs: config.conversationIdleMs,
    export: config.export,
    outputQueues: outputQueueSettings(config),
    sampling: config.sampling,
    forward: {
      destinations: config.forward,
      dataDir: config.dataDir,
      durability: config.journal.durability,
    },
    attributes: [...config.attributes, ...attributesNeeded(specs)],
    prices: config.prices,
    dialects: config.dialects,
    otelcolNames: config.telemetry.otelcolNames,
    traces: config.telemetry.traces,
    journal: journalSettings(config),
  };
}

function outputQueueSettings({ dataDir, journal }: Config): OutputQueueSettings | undefined {
  if (journal.durability === "memory") return undefined;
  const sync = journal.durability === "fsync";
  return { dir: join(dataDir, "export"), sync, mayYield: dataDir === DEFAULT_DATA_DIR };
}

function journalSettings({ dataDir, journal: { durability, budget } }: Config): JournalSettings | null {
  if (durability === "memory") return null;
  return { dir: join(dataDir, "journal"), durability, budget, mayYield: dataDir === DEFAULT_DATA_DIR };
}

const mendable = [
  AddressError,
  BlockedAddressError,
  EndpointError,
  JournalOpenError,
  KafkaTlsError,
  SecurityError,
  StoreError,
];

/**
 * Calls `start`. If it rejects with an error that the user can fix by a setting, such as a port in use, rejects with a `UserError`.
 * @throws UserError
 */
export async function started<Started>(start: () => Promise<Started>): Promise<Started> {
  try {
    return await start();
  } catch (error) {
    if (mendable.some((kind) => error instanceof kind)) throw new UserError((error as Error).message);
    throw error;
  }
}
