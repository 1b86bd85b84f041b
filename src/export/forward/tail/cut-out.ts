import type { Batch } from "../../../otlp/rows/batch.ts";
import { cutProtobuf, type Wanted } from "../../../otlp/protobuf/cut-protobuf.ts";
import { selectJson } from "../../../otlp/json/select-json.ts";

/** What is to be put behind the events of a span: fields of protobuf, or the inside of a JSON array. */
export interface AddedEvents {
  protobuf(): Uint8Array;
  json(): string;
}

/**
 * A request with only some of the records of another, as their sender wrote them. No record is decoded or written anew.
 * @param wanted selects records by where they begin in the body
 * @param events for spans, by where they begin
 */
export function cutOut(
  batch: Batch,
  wanted: Wanted,
  events: ReadonlyMap<number, AddedEvents> = new Map(),
): Uint8Array {
  if (batch.encoding === "json") {
    const inside = new Map(Array.from(events, ([start, added]) => [start, added.json()] as const));
    return selectJson(batch, wanted, inside);
  }
  const fields = new Map(Array.from(events, ([start, added]) => [start, added.protobuf()] as const));
  return cutProtobuf(batch, wanted, fields);
}
