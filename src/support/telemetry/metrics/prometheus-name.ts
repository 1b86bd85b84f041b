/**
 * Words for the units we use, as OpenTelemetry's rules for Prometheus have them. What is in braces is no unit, but for items: a name
 * that ended in `_count` would be taken for a part of another histogram.
 */
const words: Readonly<Record<string, string>> = { s: "seconds", By: "bytes", "{item}": "items" };

/** A metric's name with its unit at the end, where it does not end in it anyway. The Collector's names stay what they are. */
export function nameWithUnit(name: string, unit: string): string {
  const word = words[unit];
  if (word === undefined || name.startsWith("otelcol_") || name.endsWith(word)) return name;
  return `${name}_${word}`;
}
