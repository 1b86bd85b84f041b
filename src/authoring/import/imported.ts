import { isArray, isObject, type JsonObject, type JsonValue } from "../../model/json.ts";
import type { ProposedQuery } from "../query-text/spec-text.ts";

/** A document of another tool. */
export interface SourceDocument {
  /** Position for messages; empty for a single document. */
  readonly place: string;
  readonly value: JsonValue;
}

/** A spec made of another tool's file. */
export interface Imported {
  readonly queries: readonly ProposedQuery[];
  /** Agent name, if the file has one. */
  readonly agent: string | null;
  /** Keys of the spec besides its queries. */
  readonly root: JsonObject;
  /** Positions of parts that could not be converted. */
  readonly left: readonly string[];
}

/** A place in a document. */
export function placeIn({ place }: SourceDocument, what: string): string {
  return place === "" ? what : `${place}: ${what}`;
}

/** The entries that have a value: lists that are empty and blocks without a key are left out. */
export function compact(entries: Readonly<Record<string, JsonValue | undefined>>): JsonObject {
  return Object.fromEntries(
    Object.entries(entries).flatMap(([key, value]) => {
      if (value === undefined || (isArray(value) && value.length === 0)) return [];
      return isObject(value) && Object.keys(value).length === 0 ? [] : [[key, value] as const];
    }),
  );
}

/** A name and what is said beside it, as one description. */
export function describe(name: string | undefined, description: string | undefined): string | undefined {
  if (name === undefined || description === undefined || name === description) return description ?? name;
  return `${name}: ${description.trim()}`;
}
