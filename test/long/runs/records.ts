import type { ExportRequest, Json } from "../../../bench/data/real/recordings.ts";
import { encode, LogsData, TracesData } from "../../otlp/oracle.ts";
import { list, withBytes } from "../../support/reencode.ts";

/** A span or log record with its resource and scope. */
export interface LooseRecord {
  readonly signal: ExportRequest["signal"];
  readonly resource: Json;
  readonly scope: Json;
  readonly record: Json;
}

/** An encoded export request. */
export interface Body {
  readonly signal: ExportRequest["signal"];
  readonly encoding: "json" | "protobuf";
  readonly bytes: Uint8Array;
}

interface Names {
  readonly resources: string;
  readonly scopes: string;
  readonly records: string;
}

const names: Readonly<Record<ExportRequest["signal"], Names>> = {
  traces: { resources: "resourceSpans", scopes: "scopeSpans", records: "spans" },
  logs: { resources: "resourceLogs", scopes: "scopeLogs", records: "logRecords" },
};

/** All spans and log records of a request. */
export function recordsOf({ signal, document }: ExportRequest): LooseRecord[] {
  const { resources, scopes, records } = names[signal];
  return list(document, resources).flatMap((byResource) =>
    list(byResource, scopes).flatMap((byScope) =>
      list(byScope, records).map((record) => ({
        signal,
        resource: (byResource["resource"] ?? {}) as Json,
        scope: (byScope["scope"] ?? {}) as Json,
        record,
      })),
    ),
  );
}

/** A request that contains only this record. */
export function requestOf({ signal, resource, scope, record }: LooseRecord): ExportRequest {
  const { resources, scopes, records } = names[signal];
  return { signal, document: { [resources]: [{ resource, [scopes]: [{ scope, [records]: [record] }] }] } };
}

export function asJson({ signal, document }: ExportRequest): Body {
  return { signal, encoding: "json", bytes: Buffer.from(JSON.stringify(document)) };
}

/** Encoded by protobufjs. */
export function asProtobuf({ signal, document }: ExportRequest): Body {
  const type = signal === "traces" ? TracesData : LogsData;
  const bytes = encode(type, withBytes(document) as Record<string, unknown>);
  return { signal, encoding: "protobuf", bytes };
}
