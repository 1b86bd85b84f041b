import { type MemoryBudget, unavailable } from "../../receive/admission/memory-budget.ts";
import { acceptWithin } from "../../receive/admission/reading-cost.ts";
import type { Batch } from "../../otlp/rows/batch.ts";
import { intakeBatches } from "../../receive/intake/intake-batches.ts";
import type { KafkaPort } from "../../receive/kafka/port.ts";
import { commitSpans } from "../../support/telemetry/traces/attempt-spans.ts";
import type { OwnTraces } from "../../support/telemetry/traces/own-traces.ts";
import { kafkajsPort } from "../../receive/kafka/kafkajs-port.ts";
import type { RecordPlace } from "../../receive/kafka/partition-offsets.ts";
import type { AcceptRecord } from "../../receive/kafka/receiver.ts";
import { recordItems } from "../../support/telemetry/metrics/instruments/collector-metrics.ts";
import {
  observePartitions,
  recordKafkaRecord,
} from "../../support/telemetry/metrics/instruments/kafka-metrics.ts";
import type { Recorder } from "../../support/telemetry/metrics/recorder.ts";
import { KafkaAcceptLog, type KafkaAcceptLogOptions } from "./kafka-accept-log.ts";
import type { CollectorOptions } from "../settings/options.ts";

/** Opens the accept log in Kafka. Resolves to null if Kafka is not configured. */
export async function openKafkaAcceptLog(
  { settings, log, kafkaPort }: CollectorOptions,
  parts: Pick<KafkaAcceptLogOptions, "revisions" | "lifecycle" | "flush" | "now"> & {
    readonly recorder: Recorder;
    readonly traces: OwnTraces | null;
    readonly accepting: (take: (batch: Batch, place: RecordPlace) => void) => AcceptRecord;
  },
): Promise<KafkaAcceptLog | null> {
  const { kafka = null, timeouts } = settings;
  if (kafka === null) return null;
  const { recorder, traces, accepting, ...rest } = parts;
  const port = kafkaPort ?? (await kafkajsPort(kafka, (warning) => log.debug(`kafka: ${warning}`)));
  if (traces !== null) traceCommits(port, traces);
  const onRecord: KafkaAcceptLogOptions["onRecord"] = (topic, outcome, bytes) =>
    recordKafkaRecord(recorder, topic, outcome, bytes);
  const uncorrelatedMs = timeouts.idleMs + timeouts.rootCapMs;
  const kafkaLog = new KafkaAcceptLog(
    { ...rest, settings: kafka, port, uncorrelatedMs, onRecord, log },
    accepting,
  );
  observePartitions(recorder, () => kafkaLog.partitions);
  return kafkaLog;
}

function traceCommits(port: KafkaPort, traces: OwnTraces): void {
  const commit = port.commit.bind(port);
  const committed = commitSpans(traces);
  port.commit = async (offsets) => {
    const startUnixMs = Date.now();
    const ended = (error: string | null): void =>
      committed({ partitions: offsets.length, startUnixMs, endUnixMs: Date.now(), error });
    try {
      await commit(offsets);
      if (offsets.length > 0) ended(null);
    } catch (error) {
      ended((error as Error).message);
      throw error;
    }
  };
}

/**
 * Returns the handler that passes Kafka records to the pipeline. While memory is short, the handler pauses reading, so that no trace has to
 * be closed early.
 */
export function acceptingRecords(
  take: (batch: Batch, place: RecordPlace) => void,
  budget: () => MemoryBudget | null,
  recorder: Recorder,
): AcceptRecord {
  return (body, request, place) => {
    let isKept = false;
    const accept = intakeBatches(
      (batch) => {
        isKept = true;
        take(batch, place);
        return undefined;
      },
      ({ transport, signal }, accepted, refused) =>
        recordItems(recorder, transport, signal, accepted, refused),
    );
    const memory = budget();
    const kept = (): boolean => isKept;
    if (memory === null) return { acceptance: accept(body, request), kept };
    if (memory.used + body.length > memory.soft) {
      return {
        acceptance: unavailable(
          "no memory is free for further telemetry, so the record is read again later",
          Math.random(),
        ),
        kept,
      };
    }
    return { acceptance: acceptWithin(memory, accept)(body, request), kept };
  };
}
