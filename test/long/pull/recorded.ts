import {
  recordingsBelow,
  requestsOf,
  type ExportRequest,
  type Json,
} from "../../../bench/data/real/recordings.ts";
import type { JsonObject, JsonValue } from "../../../src/model/json.ts";
import { runJson } from "../../../src/report/json/run-json.ts";
import { replayedRuns } from "../runs/assemble.ts";
import { asJson, recordsOf } from "../runs/records.ts";

/** The spans of one recording; stores of traces take no log records. */
export interface Recorded {
  readonly name: string;
  readonly requests: readonly ExportRequest[];
  readonly traceIds: ReadonlySet<string>;
  readonly startMs: number;
}

/** Recordings whose traces are in no other one. */
export function recordedTraces(folders: readonly string[]): Recorded[] {
  const taken = new Set<string>();
  return recordingsBelow(folders).flatMap((recording) => {
    const requests = requestsOf(recording).filter(({ signal }) => signal === "traces");
    const spans = requests.flatMap(recordsOf).map(({ record }) => record);
    const traceIds = new Set(spans.map((span) => String(span["traceId"])));
    if (spans.length === 0 || [...traceIds].some((id) => taken.has(id))) return [];
    for (const id of traceIds) taken.add(id);
    const startMs = Math.min(...spans.map((span) => Number(span["startTimeUnixNano"]) / 1e6));
    return [{ name: recording.name, requests, traceIds, startMs }];
  });
}

/** The runs of a recording, as `inspect --format json --full` shows them. Stores reorder attributes, and with them the names of dialects. */
export function runsOf(requests: readonly ExportRequest[]): JsonValue[] {
  return replayedRuns(requests.map(asJson)).map((run) => {
    const json = JSON.parse(JSON.stringify(runJson(run, true))) as JsonObject;
    return { ...json, dialects: [...run.dialects].sort() };
  });
}

/** Of lines of OTLP/JSON, the requests that hold spans of a recording. */
export function requestsByRecording(
  lines: readonly string[],
  recordings: readonly Recorded[],
): Map<Recorded, ExportRequest[]> {
  const owners = new Map(recordings.flatMap((one) => [...one.traceIds].map((id) => [id, one] as const)));
  const found = new Map<Recorded, ExportRequest[]>();
  for (const line of lines) {
    const request: ExportRequest = { signal: "traces", document: JSON.parse(line) as Json };
    for (const owner of new Set(
      recordsOf(request).map(({ record }) => owners.get(String(record["traceId"]))),
    )) {
      if (owner === undefined) continue;
      const own = recordsOf(request).filter(({ record }) => owners.get(String(record["traceId"])) === owner);
      const resourceSpans = own.map(({ resource, scope, record }) => ({
        resource,
        scopeSpans: [{ scope, spans: [record] }],
      }));
      found.set(owner, [...(found.get(owner) ?? []), { signal: "traces", document: { resourceSpans } }]);
    }
  }
  return found;
}
