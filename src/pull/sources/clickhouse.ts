import { isObject, type JsonObject, type JsonValue } from "../../model/json.ts";
import { splitLastSegment } from "../address.ts";
import type { QueryParameter } from "../store-client.ts";
import type { Page, SourceRequest } from "../trace-source.ts";
import { UserError } from "../../support/process/io.ts";

const TRACES = 100;

/** Columns to read. Times are read as text, so that nanoseconds are not lost. */
const columns = [
  "TraceId, SpanId, ParentSpanId, SpanName, SpanKind, ServiceName, ResourceAttributes, ScopeName, ScopeVersion",
  "SpanAttributes, toString(toUnixTimestamp64Nano(toDateTime64(s.Timestamp, 9))) AS Timestamp, toString(Duration) AS Duration",
  "StatusCode, StatusMessage, Events.Name, Events.Attributes, Links.TraceId, Links.SpanId",
  "arrayMap(t -> toString(toUnixTimestamp64Nano(toDateTime64(t, 9))), s.Events.Timestamp) AS `Events.Timestamp`",
].join(", ");

/**
 * Yields the traces in a table of the Collector's ClickHouse exporter, newest first, each with all its spans. Uses GET requests, for which
 * ClickHouse's HTTP interface refuses all writes. The cursor is the number of traces that were read.
 */
export async function* clickhousePages(request: SourceRequest, cursor: string | null): AsyncGenerator<Page> {
  const { window, address } = request;
  const { base, last } = splitLastSegment(address.url);
  const table = tableOf(last, address.name);
  const service = address.options.get("service");
  const found =
    `SELECT TraceId FROM ${table} WHERE Timestamp >= fromUnixTimestamp64Milli({since:Int64}) ` +
    "AND Timestamp < fromUnixTimestamp64Milli({until:Int64})" +
    (service === undefined ? "" : " AND ServiceName = {service:String}") +
    ` GROUP BY TraceId ORDER BY min(Timestamp) DESC, TraceId LIMIT ${TRACES} OFFSET {offset:UInt64}`;
  for (let offset = Number(cursor ?? 0); ; offset += TRACES) {
    const parameters: QueryParameter[] = [
      ["param_since", window.sinceMs],
      ["param_until", window.untilMs],
      ["param_offset", offset],
    ];
    if (service !== undefined) parameters.push(["param_service", service]);
    const ids = (await rowsOf(request, base, found, parameters)).flatMap(({ TraceId: id }) =>
      typeof id === "string" && /^[0-9a-f]{1,32}$/i.test(id) ? [id] : [],
    );
    const list = ids.map((id) => `'${id}'`).join(",");
    const spans =
      ids.length === 0
        ? []
        : await rowsOf(request, base, `SELECT ${columns} FROM ${table} AS s WHERE TraceId IN (${list})`, []);
    const isLast = ids.length < TRACES;
    yield { answers: spans, next: isLast ? null : String(offset + TRACES) };
    if (isLast) return;
  }
}

/** Returns the quoted name of a table. The path is `table` or `database.table`. */
function tableOf(path: string, name: string): string {
  const parts = (path === "" ? "otel_traces" : path).split(".");
  if (parts.length > 2 || parts.some((part) => !/^\w+$/.test(part)))
    throw new UserError(
      `${name} contains no table name`,
      "write the table after the address, as in clickhouse:http://localhost:8123/default.otel_traces",
    );
  return parts.map((part) => `\`${part}\``).join(".");
}

async function rowsOf(
  { client }: SourceRequest,
  base: URL,
  query: string,
  parameters: readonly QueryParameter[],
): Promise<JsonObject[]> {
  const answer: JsonValue = await client.getJson(base, "/", [
    ["query", query],
    ["default_format", "JSON"],
    ...parameters,
  ]);
  return client.listIn(answer, "data").filter(isObject);
}
