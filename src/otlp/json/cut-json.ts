import { attributesJson } from "../../model/telemetry/any-value.ts";
import type { AttributesView } from "../../model/telemetry/span-view.ts";
import type { Place } from "../rows/place.ts";

/** A record (span or log record) of a JSON request, with its resource and scope. */
export interface JsonRecord {
  readonly place: Place;
  /** Offset and length of the record's text in the body. */
  readonly start: number;
  readonly length: number;
  readonly resource: AttributesView;
  /** Number of the record's resource. Records of one request with the same number have the same resource. */
  readonly resourceIndex: number;
  readonly scopeName: string;
  readonly scopeVersion: string;
}

/**
 * Returns an OTLP/JSON request that contains only these records of a request. The text of each record stays unchanged. Resources and scopes
 * are encoded again.
 */
export function cutJson(signal: "traces" | "logs", records: readonly JsonRecord[]): Uint8Array {
  const utf8 = new TextDecoder();
  const [containers, scopes, items] =
    signal === "traces"
      ? ["resourceSpans", "scopeSpans", "spans"]
      : ["resourceLogs", "scopeLogs", "logRecords"];
  const parts = [...byResource(records)].map(([resource, ofResource]) => {
    const inside = [...byScope(ofResource)].map(([scope, ofScope]) => {
      const texts = ofScope.map(({ place, start, length }) =>
        utf8.decode(place.batch.body.subarray(start, start + length)),
      );
      return `{"scope":${scope},"${items}":[${texts.join(",")}]}`;
    });
    return `{"resource":${resource},"${scopes}":[${inside.join(",")}]}`;
  });
  return new TextEncoder().encode(`{"${containers}":[${parts.join(",")}]}`);
}

function byResource(records: readonly JsonRecord[]): Map<string, JsonRecord[]> {
  const texts = new Map<number, string>();
  return grouped(records, ({ resource, resourceIndex }) => {
    const known = texts.get(resourceIndex);
    if (known !== undefined) return known;
    const text = JSON.stringify({ attributes: attributesJson(resource) });
    texts.set(resourceIndex, text);
    return text;
  });
}

function byScope(records: readonly JsonRecord[]): Map<string, JsonRecord[]> {
  return grouped(records, ({ scopeName, scopeVersion }) =>
    JSON.stringify({ name: scopeName, ...(scopeVersion === "" ? {} : { version: scopeVersion }) }),
  );
}

function grouped(
  records: readonly JsonRecord[],
  keyOf: (record: JsonRecord) => string,
): Map<string, JsonRecord[]> {
  const groups = new Map<string, JsonRecord[]>();
  for (const record of records) {
    const key = keyOf(record);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [record]);
    else group.push(record);
  }
  return groups;
}
