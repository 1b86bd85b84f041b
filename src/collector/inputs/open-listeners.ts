import { acceptAndForward } from "../../export/forward/accept-and-forward.ts";
import type { Forwarder } from "../../export/forward/forwarder.ts";
import { FairAdmission, tenantBy } from "../../receive/admission/fair-admission.ts";
import type { MemoryBudget } from "../../receive/admission/memory-budget.ts";
import { acceptWithin } from "../../receive/admission/reading-cost.ts";
import { intakeBatches } from "../../receive/intake/intake-batches.ts";
import type { Accept } from "../../receive/ports.ts";
import { createReceiver, type Receiver } from "../../receive/receiver.ts";
import { recordItems, recordRequest } from "../../support/telemetry/metrics/instruments/collector-metrics.ts";
import type { Recorder } from "../../support/telemetry/metrics/recorder.ts";
import type { AcceptLogs } from "./accept-logs.ts";
import type { CollectorOptions } from "../settings/options.ts";
import type { CollectorSecurity } from "./open-security.ts";
import type { Results } from "../outputs/results.ts";
import { limitedLog } from "../../support/telemetry/log/log.ts";
import { largestBody } from "../memory.ts";

export interface ListenerParts {
  readonly acceptLogs: AcceptLogs;
  readonly forwarder: Forwarder | null;
  readonly memory: MemoryBudget | null;
  readonly results: Results;
  readonly recorder: Recorder;
  readonly security: CollectorSecurity;
  readonly now: () => number;
}

/** Opens the ports for telemetry. Rejects with `AddressError` if a port cannot be opened. */
export function openReceiver(
  { settings, log }: CollectorOptions,
  accept: Accept,
  parts: ListenerParts,
): Promise<Receiver> {
  const { memory, recorder, security, now } = parts;
  const crossOrigin = { allows: (origin: string) => security.allowsOrigin(origin) };
  return createReceiver({
    http: settings.http,
    grpc: settings.grpc,
    maxBody: memory === null ? settings.maxBody : largestBody(settings.maxBody, memory, log),
    log: limitedLog(log),
    authorize: (authorization) => security.guard.admit(authorization, "ingest"),
    // A getter, because a reload can change the allowed origins.
    get crossOrigin() {
      return security.allowsAnyOrigin ? crossOrigin : null;
    },
    allowedHosts: () => security.allowedHosts,
    tls: security.receiveTls,
    accept,
    ...(memory === null
      ? {}
      : { admission: new FairAdmission(memory, now, tenantBy(settings.tenantHeader ?? null)) }),
    events: {
      request: (transport, signal, outcome, wireBytes) =>
        recordRequest(recorder, transport, signal, outcome, wireBytes),
      connectionCut: (reason) => recorder.count("tracejury.receiver.connections_cut", 1, [reason]),
    },
  });
}

/**
 * Returns the handler for requests. In this order, a request passes: the memory limit, the check for forwarding loops and full forward
 * queues, the journal, the pipeline, and the forward queues.
 */
export function acceptRequests(parts: ListenerParts): Accept {
  const { acceptLogs, forwarder, memory, results, recorder } = parts;
  const take = intakeBatches(
    (batch, request) => results.noted(batch, acceptLogs.requests.append(batch, request)),
    ({ transport, signal }, accepted, refused) => recordItems(recorder, transport, signal, accepted, refused),
  );
  const passing =
    forwarder === null
      ? take
      : acceptAndForward(forwarder, take, () => recorder.count("tracejury.forward.loops", 1, []));
  return memory === null ? passing : acceptWithin(memory, passing);
}
