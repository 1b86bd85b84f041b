import type { ExportEvents, ExportRoute } from "../export/export-events.ts";
import type { Log } from "./log.ts";
import type { Recorder } from "./recorder.ts";

/**
 * Counts what exporters tell. Each way out that stops working is said once, and once again when it works; so is the first record that
 * is given up.
 */
export function exportReport(recorder: Recorder, log: Log): ExportEvents {
  const failing = new Map<string, number>();
  const dropping = new Set<string>();
  return {
    taken: ({ records, ...route }) => recorder.count("tracejury.exporter.taken", records, series(route)),
    recovered: ({ records, ...route }) => {
      recorder.count("tracejury.exporter.recovered", records, series(route));
      log.info({ ...route, records }, "records left by an earlier run are sent");
    },
    spilled: ({ records, ...route }) => recorder.count("tracejury.exporter.spilled", records, series(route)),
    sent: ({ records, ...route }) => {
      recorder.count("tracejury.exporter.sent", records, series(route));
      const failures = failing.get(nameOf(route));
      if (failures === undefined) return;
      failing.delete(nameOf(route));
      dropping.delete(nameOf(route));
      log.info({ ...route, failures }, "export works again");
    },
    failed: ({ outcome, error, ...route }) => {
      recorder.count("tracejury.exporter.failures", 1, series(route));
      const failures = failing.get(nameOf(route)) ?? 0;
      failing.set(nameOf(route), failures + 1);
      if (failures === 0) log.warn({ ...route, outcome, error }, "export failed");
    },
    dropped: ({ records, why, ...route }) => {
      recorder.count("tracejury.exporter.dropped", records, [...series(route), why]);
      if (dropping.has(nameOf(route))) return;
      dropping.add(nameOf(route));
      log.warn({ ...route, records, why }, "export drops records");
    },
    rejected: ({ records, why, ...route }) => {
      recorder.count("tracejury.exporter.dropped", records, [...series(route), "partial_success"]);
      log.warn({ ...route, records, why }, "backend rejected records");
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
