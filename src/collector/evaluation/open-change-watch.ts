import { label } from "../../support/telemetry/metrics/instruments/verdict-metrics.ts";
import { limitedLog } from "../../support/telemetry/log/limited-log.ts";
import type { CollectorOptions } from "../settings/options.ts";
import type { CollectorSinks } from "../outputs/sinks.ts";
import { ChangeWatch } from "./change-watch.ts";

const DAY_MS = 86_400_000;
/**
 * Time in milliseconds that another process has to publish a change, in addition to the time that webhooks
 * need.
 */
const GRACE_MS = 120_000;

/**
 * Starts watching the store for changes. Returns null without an archive of runs; if a webhook expects
 * changes, this is logged.
 */
export function openChangeWatch(
  { settings, log }: CollectorOptions,
  { results, exporter, meter }: CollectorSinks,
): ChangeWatch | null {
  const { changesEveryMs: everyMs = DAY_MS } = settings;
  const webhooks = settings.export.webhook.filter(({ on }) => on === "change");
  if (results.archive === null) {
    if (webhooks.length > 0)
      log.warn("webhooks with `on: change` get nothing: changes are found in a store (`store.mode`)");
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
        "the search for changes of pass rates failed, because the store could not be read",
      ),
    graceMs: webhooks.reduce(
      (most, { maxDelayMs, timeoutMs }) => Math.max(most, GRACE_MS + maxDelayMs + timeoutMs),
      GRACE_MS,
    ),
  });
  void watch.look();
  return watch;
}
