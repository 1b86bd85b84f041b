/** Names of enum values. OTLP/JSON requires numbers, but some tools write names. */
export const enumNames: ReadonlyMap<string, number> = new Map([
  ...["UNSPECIFIED", "INTERNAL", "SERVER", "CLIENT", "PRODUCER", "CONSUMER"].map(
    (name, value) => [`SPAN_KIND_${name}`, value] as const,
  ),
  ...["UNSET", "OK", "ERROR"].map((name, value) => [`STATUS_CODE_${name}`, value] as const),
  ["SEVERITY_NUMBER_UNSPECIFIED", 0],
  ...["TRACE", "DEBUG", "INFO", "WARN", "ERROR", "FATAL"].flatMap((name, level) =>
    ["", "2", "3", "4"].map((step, i) => [`SEVERITY_NUMBER_${name}${step}`, level * 4 + i + 1] as const),
  ),
]);
