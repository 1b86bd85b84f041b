import { isArray, isObject, type JsonObject, type JsonValue } from "../../model/json.ts";
import type { ProposedQuery } from "../query-text/spec-text.ts";

/** A document from a file of another tool. */
export interface SourceDocument {
  /** Position of the document in its file, for messages. Empty if the file has only one document. */
  readonly place: string;
  readonly value: JsonValue;
}

/** A spec's queries and other keys, converted from a file of another tool. */
export interface Imported {
  readonly queries: readonly ProposedQuery[];
  /** Agent name. Null if the file names no agent. */
  readonly agent: string | null;
  /** Keys of the spec in addition to its queries. */
  readonly root: JsonObject;
  /** Descriptions of the parts that were not converted, with their positions. */
  readonly left: readonly string[];
}

export function placeIn({ place }: SourceDocument, what: string): string {
  return place === "" ? what : `${place}: ${what}`;
}

/** Returns the entries that have a value. Empty lists and empty blocks are left out. */
export function compact(entries: Readonly<Record<string, JsonValue | undefined>>): JsonObject {
  return Object.fromEntries(
    Object.entries(entries).flatMap(([key, value]) => {
      if (value === undefined || (isArray(value) && value.length === 0)) return [];
      return isObject(value) && Object.keys(value).length === 0 ? [] : [[key, value] as const];
    }),
  );
}

export function describe(name: string | undefined, description: string | undefined): string | undefined {
  if (name === undefined || description === undefined || name === description) return description ?? name;
  return `${name}: ${description.trim()}`;
}
