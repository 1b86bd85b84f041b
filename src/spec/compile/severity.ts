import { isObject, type JsonValue } from "../../model/json.ts";
import type { Layer } from "../../model/outcome.ts";
import type { Consequence } from "../../evaluate/query/blocks.ts";

/** All `severity` settings for one query. */
export interface SeverityRules {
  /** `severity` in a layer. */
  readonly inLayer: (layer: Layer) => JsonValue | undefined;
  /** `severity` of the query, merged with that of the spec. */
  readonly ofQuery: JsonValue | undefined;
}

/**
 * Returns the severity of a check from the spec; undefined for the check's default. A setting for the check takes precedence over a setting
 * for its layer, and `severity` in the layer over `severity` of the query.
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
