import { isArray, isObject, type JsonObject, type JsonValue } from "../../model/json.ts";
import type { ProposedQuery } from "../query-text/spec-text.ts";

/** A document of another tool. */
export interface SourceDocument {
  /** Position for messages; empty for a single document. */
  readonly place: string;
  readonly value: JsonValue;
}

/** A spec that was converted from another tool's file. */
export interface Imported {
  readonly queries: readonly ProposedQuery[];
  /** Agent name, if the file has one. */
  readonly agent: string | null;
  /** Keys of the spec besides its queries. */
  readonly root: JsonObject;
  /** Positions of parts that could not be converted. */
  readonly left: readonly string[];
}

/** Returns a position in a document for messages. */
export function placeIn({ place }: SourceDocument, what: string): string {
  return place === "" ? what : `${place}: ${what}`;
}

/** Returns the entries with a value. Empty lists and blocks without keys are left out. */
export function compact(entries: Readonly<Record<string, JsonValue | undefined>>): JsonObject {
  return Object.fromEntries(
    Object.entries(entries).flatMap(([key, value]) => {
      if (value === undefined || (isArray(value) && value.length === 0)) return [];
      return isObject(value) && Object.keys(value).length === 0 ? [] : [[key, value] as const];
    }),
  );
}

/** Joins a name and its description into one description. */
export function describe(name: string | undefined, description: string | undefined): string | undefined {
  if (name === undefined || description === undefined || name === description) return description ?? name;
  return `${name}: ${description.trim()}`;
}
