import { isArray, isObject, type JsonObject, type JsonValue } from "../../model/json.ts";
import type { ProposedQuery } from "../spec-text.ts";

/** A spec made of another tool's file. */
export interface Imported {
  readonly queries: readonly ProposedQuery[];
  /** The agent's name, where the file has one. */
  readonly agent: string | null;
  /** Keys of the whole spec beside its queries, such as `preset`. */
  readonly root: JsonObject;
  /** What could not be carried over, each with its place; nothing is dropped without a word. */
  readonly left: readonly string[];
}

/** An object of another tool's file: what was not read of it in the end is what could not be carried over. */
export class Source {
  readonly #object: JsonObject;
  readonly #place: string;
  readonly #read = new Set<string>();

  constructor(value: JsonValue | undefined, place: string) {
    this.#object = isObject(value) ? value : {};
    this.#place = place;
  }

  value(key: string): JsonValue | undefined {
    this.#read.add(key);
    return this.#object[key] ?? undefined;
  }

  text(key: string): string | undefined {
    const value = this.value(key);
    return typeof value === "string" && value.trim() !== "" ? value : undefined;
  }

  number(key: string): number | undefined {
    const value = this.value(key);
    return typeof value === "number" && Number.isFinite(value) ? value : undefined;
  }

  /** A list of texts; a lone text is a list of one. */
  texts(key: string): readonly string[] {
    const value = this.value(key);
    if (typeof value === "string") return [value];
    return isArray(value)
      ? value.map((item) => (typeof item === "string" ? item : JSON.stringify(item)))
      : [];
  }

  list(key: string): readonly JsonValue[] {
    const value = this.value(key);
    return isArray(value) ? value : [];
  }

  inner(key: string): Source {
    return new Source(this.value(key), `${this.#place}.${key}`);
  }

  /** Keys that mean nothing to a check: they are known and need no word. */
  ignore(...keys: readonly string[]): void {
    for (const key of keys) this.#read.add(key);
  }

  /** What was not read, each with its place. */
  rest(): readonly string[] {
    return Object.keys(this.#object)
      .filter((key) => !this.#read.has(key))
      .map((key) => `${this.#place}.${key}`);
  }
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
