import type { ExportEvents, ExportRoute } from "../../../export/records/export-events.ts";
import { limitedLog, type Log } from "../log/log.ts";
import type { Recorder } from "../metrics/recorder.ts";

/** Counts events of exporters. Logs when an output stops working and when it works again. Logs dropped records at most once a minute. */
export function exportReport(recorder: Recorder, log: Log): ExportEvents {
  const failing = new Map<string, number>();
  const limited = limitedLog(log);
  return {
    taken: ({ records, ...route }) => recorder.count("tracejury.exporter.taken", records, series(route)),
    recovered: ({ records, ...route }) => {
      recorder.count("tracejury.exporter.recovered", records, series(route));
      log.info(
        { ...route, records },
        "records that the previous process could not deliver were found in the disk queue, and are sent now",
      );
    },
    queuedOnDisk: ({ records, ...route }) =>
      recorder.count("tracejury.exporter.spilled", records, series(route)),
    sent: ({ records, ...route }) => {
      recorder.count("tracejury.exporter.sent", records, series(route));
      const failures = failing.get(nameOf(route));
      if (failures === undefined) return;
      failing.delete(nameOf(route));
      log.info({ ...route, failures }, "the export to a backend works again");
    },
    failed: ({ outcome, error, ...route }) => {
      recorder.count("tracejury.exporter.failures", 1, series(route));
      const failures = failing.get(nameOf(route)) ?? 0;
      failing.set(nameOf(route), failures + 1);
      if (failures === 0) limited.warn({ ...route, outcome, error }, "export failed");
    },
    dropped: ({ records, why, error, ...route }) => {
      recorder.count("tracejury.exporter.dropped", records, [...series(route), why]);
      limited.warn(
        { ...route, records, why: error ?? why, reason: why },
        "records were dropped and not exported",
      );
    },
    rejected: ({ records, why, ...route }) => {
      recorder.count("tracejury.exporter.dropped", records, [...series(route), "partial_success"]);
      limited.warn(
        { ...route, records, why },
        "a backend accepted a request, but rejected some of its records",
      );
    },
    watchQueue: (route, queue) => {
      recorder.observe("tracejury.exporter.queue_records", (report) => report(queue.records, series(route)));
      recorder.observe("tracejury.exporter.queue_disk", (report) => report(queue.diskBytes, series(route)));
      recorder.observe("tracejury.exporter.queue_bytes", (report) => report(queue.bytes, series(route)));
    },
  };
}

function series({ exporter, signal, destination }: ExportRoute): readonly string[] {
  return [exporter, signal, destination];
}

function nameOf(route: ExportRoute): string {
  return series(route).join(" ");
}
