import { isObject, type JsonValue } from "../../model/json.ts";
import type { Layer } from "../../model/outcome.ts";
import type { Consequence } from "../../evaluate/query/blocks.ts";

/** All that a spec says about what violations mean in one query, nearest first. */
export interface SeverityRules {
  /** `severity` within each layer. */
  readonly inLayer: (layer: Layer) => JsonValue | undefined;
  /** `severity` of the query, the spec's merged below it. */
  readonly ofQuery: JsonValue | undefined;
}

/**
 * What a violation of a check means where something says so; undefined for the check's own default. What names the check counts
 * before what names its layer, and then what is written nearer to the check.
 */
export function severityOf(layer: Layer, key: string, rules: SeverityRules): Consequence | undefined {
  const inLayer = rules.inLayer(layer);
  const ofQuery = isObject(rules.ofQuery) ? rules.ofQuery : {};
  const ofLayer = ofQuery[layer];
  return (
    consequence(inLayer, key) ??
    consequence(ofQuery, key) ??
    consequence(ofLayer, key) ??
    asConsequence(inLayer) ??
    asConsequence(ofLayer)
  );
}

function consequence(rules: JsonValue | undefined, key: string): Consequence | undefined {
  return isObject(rules) ? asConsequence(rules[key]) : undefined;
}

function asConsequence(value: JsonValue | undefined): Consequence | undefined {
  return value === "fail" || value === "warn" ? value : undefined;
}
