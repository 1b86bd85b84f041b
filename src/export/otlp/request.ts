import { ownScope } from "../../model/telemetry/own-scope.ts";
import type { Attributes } from "../records/attribute.ts";
import { encodeAttributes, writeAttributes } from "./attribute-block.ts";
import { ProtobufWriter } from "./protobuf-writer.ts";

/** The conventions our attribute names follow. */
const schemaUrl = "https://opentelemetry.io/schemas/1.41.0";

/** Wraps encoded records of one signal into a request body. */
export type RequestEncoder = (records: readonly Uint8Array[]) => Uint8Array;

/**
 * Makes the encoder of ExportLogsServiceRequest and ExportTraceServiceRequest alike: resource, scope and records have the same field
 * numbers in both.
 */
export function createRequestEncoder(resource: Attributes, version: string): RequestEncoder {
  const output = new ProtobufWriter();
  writeAttributes(output, 1, encodeAttributes(resource)); // attributes
  const resourceBytes = output.take();
  output.text(1, ownScope); // name
  output.text(2, version); // version
  const scopeBytes = output.take();
  return (records) => {
    output.bytes(1, scopeBytes); // scope
    for (const record of records) output.bytes(2, record); // log_records, spans
    output.text(3, schemaUrl); // schema_url
    const scoped = output.take();
    output.bytes(1, resourceBytes); // resource
    output.bytes(2, scoped); // scope_logs, scope_spans
    const grouped = output.take();
    output.bytes(1, grouped); // resource_logs, resource_spans
    return output.take();
  };
}
