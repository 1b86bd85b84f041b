import type { Endpoint } from "./http/endpoint.ts";
import { annotationEndpoints } from "./endpoints/annotations.ts";
import { baselineEndpoints, type SavedRuns } from "./endpoints/baselines.ts";
import { changePointEndpoints } from "./endpoints/change-points.ts";
import { levelChangeEndpoints } from "./endpoints/level-changes.ts";
import { compareEndpoints } from "./endpoints/compare.ts";
import { eventEndpoints } from "./endpoints/events.ts";
import { problemEndpoints } from "./endpoints/problems.ts";
import { queryEndpoints } from "./endpoints/queries.ts";
import { queryCheckEndpoints } from "./endpoints/query-checks.ts";
import { runEndpoints } from "./endpoints/runs.ts";
import type { Archive, TelemetryReading } from "../../store/archive.ts";

/** What a store that outlives the process can be asked, beyond verdicts and runs. */
export function archiveEndpoints(
  archive: Archive,
  reading: TelemetryReading,
  saved: SavedRuns,
  now: () => number,
): readonly Endpoint[] {
  return [
    ...runEndpoints(archive, reading, now),
    ...queryEndpoints(archive, now),
    ...queryCheckEndpoints(archive, now),
    ...problemEndpoints(archive, now),
    ...changePointEndpoints(archive, now),
    ...levelChangeEndpoints(archive, now),
    ...compareEndpoints(archive, saved, now),
    ...baselineEndpoints(saved),
    ...annotationEndpoints(archive, now),
    ...eventEndpoints(archive),
  ];
}
