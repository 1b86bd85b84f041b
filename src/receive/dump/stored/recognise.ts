/** Names by which a document of a store tells itself from OTLP's own. */
const marks: readonly RegExp[] = [
  // Jaeger
  /"traceID"\s*:/,
  // Tempo, and Jaeger's newer interface
  /^[\s[]*\{\s*"(?:trace|result)"\s*:\s*\{\s*"(?:resourceSpans|batches)"/,
  /^[\s[]*\{\s*"batches"\s*:\s*\[/,
  // Phoenix
  /"context"\s*:\s*\{[^}]*"trace_id"/,
  /^[\s[]*\{\s*"(?:next_cursor|data)"\s*:[^{]*\{[^]*"(?:trace_id|traceId)"/,
  // ClickHouse
  /"SpanAttributes"\s*:\s*\{/,
  // MLflow
  /"start_time_unix_nano"\s*:\s*\d[^]*"attributes"\s*:\s*\{/,
  /"(?:trace_info|info)"\s*:\s*\{[^]*"mlflow\./,
  // Langfuse
  /"observations"\s*:\s*\[/,
  /"(?:traceId|trace_id)"[^]*"type"\s*:\s*"[A-Z]+"/,
  /"type"\s*:\s*"[A-Z]+"[^]*"(?:traceId|trace_id)"/,
];

/** OTLP's own document, as its first name has it. */
const OTLP = /^[\s[\ufeff]*\{\s*"resource_?(?:spans|logs|metrics)"/i;
/** An id of 16 bytes in base64. */
const BASE64_ID = /"trace_?id"\s*:\s*"[A-Za-z0-9+/_-]{22}=="/i;

/** Whether the beginning of a file is that of a store's dump, to be made OTLP first. */
export function isStoreDump(head: string): boolean {
  if (!/^[\s[\ufeff]*\{/.test(head)) return false;
  return OTLP.test(head) ? BASE64_ID.test(head) : marks.some((mark) => mark.test(head));
}
