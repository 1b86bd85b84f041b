import { label } from "../../support/telemetry/metrics/instruments/verdict-metrics.ts";
import { limitedLog } from "../../support/telemetry/log/log.ts";
import type { CollectorOptions } from "../settings/options.ts";
import type { CollectorSinks } from "../outputs/sinks.ts";
import { ChangeWatch } from "./change-watch.ts";

const DAY_MS = 86_400_000;
/**
 * Milliseconds that a process has for publishing a change that it found, in addition to the time-out of the webhooks. After this time,
 * another process publishes the change.
 */
const GRACE_MS = 120_000;

/**
 * Starts to watch the store for changes of a query's pass rate, cost, latency or tokens. Returns null if runs are not stored, and logs a
 * warning if a webhook has `on: change`.
 */
export function openChangeWatch(
  { settings, log }: CollectorOptions,
  { results, exporter, meter }: CollectorSinks,
): ChangeWatch | null {
  const { changesEveryMs: everyMs = DAY_MS } = settings;
  const webhooks = settings.export.webhook.filter(({ on }) => on === "change");
  if (results.archive === null) {
    if (webhooks.length > 0)
      log.warn(
        "webhooks with `on: change` send nothing, because runs are not stored: set `store.mode` to sqlite or postgres",
      );
    return null;
  }
  const limited = limitedLog(log);
  const watch = new ChangeWatch({
    archive: results.archive,
    everyMs,
    publish: (change, done) => exporter.publishChange(change, done),
    onFound: ({ spec, query, measure, isWorse }) =>
      meter.recorder.count("tracejury.level_changes", 1, [
        label(spec),
        label(query),
        measure,
        isWorse ? "worse" : "better",
      ]),
    onError: (error) =>
      limited.warn(
        { err: error },
        "changes of pass rate, cost, latency and tokens could not be searched for, because the store could not be read; the next search is after changes.every",
      ),
    graceMs: webhooks.reduce(
      (most, { maxDelayMs, timeoutMs }) => Math.max(most, GRACE_MS + maxDelayMs + timeoutMs),
      GRACE_MS,
    ),
  });
  void watch.look();
  return watch;
}
