import protobuf from "protobufjs/minimal.js";
import { ownScope } from "../../model/own-scope.ts";
import type { Attributes } from "../attribute.ts";
import { encodeAttributes } from "./encode.ts";

const { Writer } = protobuf;

/** The conventions our attribute names follow. */
export const schemaUrl = "https://opentelemetry.io/schemas/1.41.0";

const lengthDelimited = (field: number): number => (field << 3) | 2;

/** Wraps encoded records of one signal into a request body. */
export type RequestEncoder = (records: readonly Uint8Array[]) => Uint8Array;

/**
 * Makes the encoder of ExportLogsServiceRequest and ExportTraceServiceRequest alike: resource, scope and records have the same field
 * numbers in both.
 */
export function createRequestEncoder(resource: Attributes, version: string): RequestEncoder {
  const resourceWriter = Writer.create();
  for (const keyValue of encodeAttributes(resource))
    resourceWriter.uint32(lengthDelimited(1)).bytes(keyValue);
  const resourceBytes = resourceWriter.finish();
  const scopeBytes = Writer.create()
    .uint32(lengthDelimited(1))
    .string(ownScope)
    .uint32(lengthDelimited(2))
    .string(version)
    .finish();
  return (records) => {
    const writer = Writer.create();
    writer.uint32(lengthDelimited(1)).fork(); // resource_logs, resource_spans
    writer.uint32(lengthDelimited(1)).bytes(resourceBytes); // resource
    writer.uint32(lengthDelimited(2)).fork(); // scope_logs, scope_spans
    writer.uint32(lengthDelimited(1)).bytes(scopeBytes); // scope
    for (const record of records) writer.uint32(lengthDelimited(2)).bytes(record); // log_records, spans
    writer.uint32(lengthDelimited(3)).string(schemaUrl); // schema_url
    writer.ldelim();
    return writer.ldelim().finish();
  };
}
