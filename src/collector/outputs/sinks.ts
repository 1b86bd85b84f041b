import { randomUUID } from "node:crypto";
import type { VerdictExporter } from "../../export/exporter.ts";
import { otlpMetricReaders } from "../../export/otlp/metric-reader.ts";
import { rootEvents } from "../../export/records/root-events.ts";
import type { Forwarder } from "../../export/forward/forwarder.ts";
import type { Redactor } from "../../support/redact/redactor.ts";
import { verdictJsonText } from "../../report/json/verdict-json.ts";
import { exportReport } from "../../support/telemetry/reports/export-report.ts";
import { type DamageReport, damageReport } from "../../support/telemetry/reports/damage-report.ts";
import { createMeter, type OwnMeter } from "../../support/telemetry/metrics/meter.ts";
import { version } from "../../support/process/version.ts";
import { deliverySpans, forwardSpans } from "../../support/telemetry/traces/attempt-spans.ts";
import { openOwnTraces, type OwnTraces } from "../../support/telemetry/traces/own-traces.ts";
import { openForwarding } from "./forwarding.ts";
import type { CollectorOptions, CollectorSettings } from "../settings/options.ts";
import { openOutputs } from "./outputs.ts";
import { openResults, type Results } from "./results.ts";
import type { DisposableStack } from "../disposable-stack.ts";

/** All outputs of the pipeline. */
export interface CollectorSinks {
  readonly meter: OwnMeter;
  readonly damage: DamageReport;
  readonly results: Results;
  readonly exporter: VerdictExporter;
  readonly forwarder: Forwarder | null;
  /** Exporter of Tracejury's own traces; null if `telemetry.traces` is not configured. */
  readonly traces: OwnTraces | null;
}

/** Opens the metrics, the store, the outputs and the forward queues. Rejects if one of these outputs cannot be opened. */
export async function openSinks(
  { settings, log }: CollectorOptions,
  redactor: () => Redactor | null,
  disposables: DisposableStack,
): Promise<CollectorSinks> {
  const resource = ownResource(version, randomUUID());
  const meter = createMeter({ version, resource, otelcolNames: settings.otelcolNames });
  const { recorder } = meter;
  const listeners = ownListeners(settings);
  const traces = isSet(settings.traces) ? await openOwnTraces(settings.traces, resource, listeners) : null;
  disposables.add(() => traces?.close(0));
  const events = {
    ...exportReport(recorder, log),
    ...(traces === null ? {} : { attempted: deliverySpans(traces) }),
  };
  const damage = damageReport(recorder, log, () => performance.now());
  const results = await openResults({
    settings: settings.store,
    redactor,
    log,
    events,
    recorder,
    damage,
    queues: settings.outputQueues,
    queueBytes: settings.export.queueBytes,
    memoryBytes: settings.memory,
  });
  disposables.add(() => results.close());
  recorder.observe("tracejury.store.left_out", (report) => report(results.leftOut(), []));
  meter.attach(otlpMetricReaders({ settings: settings.export, version, listeners, events }));
  const exporter = await openOutputs(
    settings.outputQueues,
    {
      settings: settings.export,
      allowedNetworks: settings.security?.allowedNetworks ?? [],
      version,
      resource,
      listeners,
      render: verdictJsonText,
      lateWindowMs: settings.timeouts.lateWindowMs,
      events,
    },
    log,
    damage,
  );
  disposables.add(() => exporter.close(0));
  const forwarder = await openForwarding(settings.forward, {
    listeners,
    recorder,
    damage,
    log,
    attempted: traces === null ? undefined : forwardSpans(traces),
    eventsOf: (verdicts) => rootEvents(verdicts, settings.export.content),
  });
  disposables.add(() => forwarder?.close(0));
  return { meter, damage, results, exporter, forwarder, traces };
}

function isSet<Value>(value: Value | null | undefined): value is Value {
  return value !== null && value !== undefined;
}

function ownListeners({ http, grpc, admin, models }: CollectorSettings): readonly string[] {
  return [http, grpc, admin, models?.address ?? "off"].filter(
    (address) => address !== "off" && !address.endsWith(":0"),
  );
}

/** Returns the OpenTelemetry resource of this process, for all telemetry that it emits. */
export function ownResource(version: string, instanceId: string): Readonly<Record<string, string>> {
  return { "service.name": "tracejury", "service.version": version, "service.instance.id": instanceId };
}
