import { type Admin, createAdmin } from "../interfaces/api/http/admin.ts";
import { decisionEndpoints } from "../interfaces/api/endpoints/decisions.ts";
import type { Receiver } from "../receive/receiver.ts";
import { adaptersWith } from "../replay/engine.ts";
import { limitedLog } from "../support/telemetry/log/log.ts";
import { BaselineSamples } from "./evaluation/baseline-samples.ts";
import { backtesting } from "./evaluation/backtest-of-store.ts";
import type { CollectorOptions } from "./settings/options.ts";
import type { CollectorSecurity } from "./inputs/open-security.ts";
import { statusOf, systemOf } from "./status.ts";
import { parseAddress } from "../support/security/addresses/address.ts";
import { messageJson } from "../report/json/run-json.ts";
import { createSpanMessageReader } from "../runs/calls/span-messages.ts";
import type { DialectTable } from "../runs/facts/dialect-table.ts";
import type { TelemetryReading } from "../store/archive.ts";
import { spanViewsOf, telemetryReading } from "../store/read/read-telemetry.ts";
import type { RunningParts } from "./stopping.ts";

export interface AdminParts extends Pick<
  RunningParts,
  "rules" | "sinks" | "pipeline" | "lifecycle" | "engine" | "receiver" | "acceptLogs"
> {
  readonly security: CollectorSecurity;
  readonly isStopping: () => boolean;
}

/**
 * Opens the admin port, which serves the web page, the API and the metrics. Resolves to null if the port is off. Rejects with
 * `AddressError` if the port cannot be opened.
 */
export function openAdmin(options: CollectorOptions, parts: AdminParts): Promise<Admin | null> {
  const { settings, log, reloading } = options;
  const { security, rules, pipeline, lifecycle, engine, receiver } = parts;
  const { results, meter } = parts.sinks;
  const { recorder } = meter;
  const limited = limitedLog(log);
  const saved = new BaselineSamples(() => rules.by);
  const reading = telemetryReadingBy(() => engine.dialects);
  return startAdmin(settings.admin, receiver, {
    guard: security.guard,
    allowedHosts: () => security.allowedHosts,
    tls: security.adminTls,
    store: results.store,
    archive: (clock) => [
      ...(results.endpoints?.(reading, saved, clock) ?? []),
      ...decisionEndpoints(pipeline.decisions, lifecycle, engine.assembler),
      ...backtesting(results.archive, () => rules.by.specs, { ...settings, engine }, clock),
    ],
    page: options.page,
    system: systemOf(() => rules.by.specs, options.shownConfig, results.archive, engine),
    metricsHandler: () => meter.prometheus(),
    ready: () => {
      const reasons = unready(parts);
      return { ready: reasons.length === 0, reasons, damage: parts.sinks.damage.notices };
    },
    status: async () => ({
      ...statusOf(engine, rules.by.specs, lifecycle.history.spansWithoutAgent()),
      listening: { ...receiver.listening, tls: security.receiveTls !== null },
      store: await results.status(),
      reload: reloading?.last() ?? null,
    }),
    reload: reloading?.now,
    onError: (error) => limited.error({ err: error }, "a request to the admin port failed"),
    onTelemetry: (path) =>
      limited.warn(
        { path, receivers: receiver.listening },
        "telemetry was sent to the admin port and refused with status 405: send it to an OTLP port (receive.http, by default 4318, or receive.grpc, by default 4317)",
      ),
    onRefused: (reason) => recorder.count("tracejury.admin.refused_requests", 1, [reason]),
    onTlsProblem: ({ details, message }) => void limited.warn({ port: "admin", ...details }, message),
    connectionCut: (reason) => recorder.count("tracejury.admin.connections_cut", 1, [reason]),
  });
}

/** Returns the reasons why the process cannot receive telemetry now; empty if it can. */
function unready({ acceptLogs, isStopping }: AdminParts): string[] {
  return [...(isStopping() ? ["shutting down"] : []), ...acceptLogs.troubles];
}

/** Opens the admin port; resolves to null if the port is off. If the port cannot be opened, closes the telemetry receiver and rejects. */
async function startAdmin(
  setting: string,
  receiver: Receiver,
  routes: Omit<Parameters<typeof createAdmin>[0], "address">,
): Promise<Admin | null> {
  try {
    const address = parseAddress(setting, "admin");
    return address === null ? null : await createAdmin({ ...routes, address });
  } catch (error) {
    await receiver.close(0);
    throw error;
  }
}

/** @param dialects function that returns the attribute mappings of the current configuration */
export function telemetryReadingBy(dialects: () => readonly DialectTable[]): TelemetryReading {
  return {
    ...telemetryReading,
    messages: (parts, spanId) => {
      const span = spanViewsOf(parts).find((one) => one.spanId === spanId);
      if (span === undefined) return Promise.resolve(undefined);
      const { inputs, outputs } = createSpanMessageReader(adaptersWith(dialects()))(span);
      return Promise.resolve({ input: inputs.map(messageJson), output: outputs.map(messageJson) });
    },
  };
}
