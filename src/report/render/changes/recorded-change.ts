import type { RecordedChangeJson } from "../../json/change-json.ts";
import { type SnakeCased, snakeCased } from "../../json/snake-case.ts";
import type { ExplainedChange, TrendMeasure } from "../../statistics/change-points/trend.ts";
import { changeSentence, coincidenceText, isoMinute, isWorse } from "./change-text.ts";

/** Identifies a recorded change: its id, spec, query and measure. */
export interface ChangePlace {
  readonly changeId: string;
  readonly spec: string;
  readonly queryId: string;
  readonly agents: readonly string[];
  readonly measure: TrendMeasure;
  readonly foundUnixMs: number;
}

/** Converts a change into the JSON of the API and of webhooks, with its id, spec, query and measure. */
export function recordedChange(place: ChangePlace, found: ExplainedChange): RecordedChangeJson {
  const { measure } = place;
  const change = snakeCased(found);
  return {
    change_id: place.changeId,
    spec: place.spec,
    query_id: place.queryId,
    agents: [...place.agents],
    measure,
    worse: isWorse(measure, change),
    text: changeText(measure, change),
    found_unix_ms: place.foundUnixMs,
    ...change,
  };
}

/**
 * Describes a change, such as `pass rate fell from 95 % to 50 % (…) since 2026-11-17 08:00 UTC`, and the
 * attributes that changed at the same time, such as `service.version 2.0 → 2.1 (…)`.
 */
function changeText(measure: TrendMeasure, change: SnakeCased<ExplainedChange>): string {
  const sentence = `${changeSentence(measure, change)} ${isoMinute(change.at_unix_ms)} UTC`;
  const others = change.also_changed.map(coincidenceText);
  return others.length === 0 ? sentence : `${sentence}. At the same time: ${others.join("; ")}`;
}
