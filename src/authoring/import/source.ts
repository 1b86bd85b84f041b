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

/**
 * A part of another tool's file. `Source` records which keys were read, in order to report all other keys as
 * not converted. A key whose value has an unexpected type counts as not read. Null and empty values are not
 * reported.
 */
export class Source {
  readonly #object: JsonObject;
  readonly #place: string;
  readonly #read = new Set<string>();
  readonly #parts: Source[] = [];
  readonly #notes = new Set<string>();

  constructor(value: JsonValue | undefined, place: string) {
    this.#object = isObject(value) ? value : {};
    this.#place = place;
  }

  get place(): string {
    return this.#place;
  }

  has(key: string): boolean {
    return this.#peek(key) !== undefined;
  }

  value(key: string): JsonValue | undefined {
    const value = this.#peek(key);
    if (value !== undefined) this.#note(key);
    return value;
  }

  text(key: string): string | undefined {
    const value = this.#peek(key);
    return typeof value === "string" && value.trim() !== "" ? (this.value(key) as string) : undefined;
  }

  number(key: string): number | undefined {
    const value = this.#peek(key);
    return typeof value === "number" && Number.isFinite(value) ? (this.value(key) as number) : undefined;
  }

  flag(key: string): boolean | undefined {
    const value = this.#peek(key);
    return typeof value === "boolean" ? (this.value(key) as boolean) : undefined;
  }

  /** Returns a list of texts. A single text is returned as a list. Null items are left out; objects and lists are reported. */
  texts(key: string): readonly string[] {
    const value = this.#peek(key);
    if (typeof value === "string") this.#note(key);
    if (!isArray(value)) return typeof value === "string" ? [value] : [];
    this.#note(key);
    return value.flatMap((item, at) => {
      if (item === null) return [];
      if (typeof item !== "object") return [String(item)];
      this.leave(`${key}[${at}]`, truncated(item));
      return [];
    });
  }

  /** Returns all keys with their values, and counts all keys as read. The caller must report the keys that the caller does not use. */
  all(): JsonObject {
    for (const key of Object.keys(this.#object)) this.#note(key);
    return this.#object;
  }

  /** Returns the value of a key as a `Source`. If the value is not an object, the `Source` has no keys. */
  inner(key: string): Source {
    const value = this.#peek(key);
    if (isObject(value)) this.#note(key);
    return this.#part(value, `${this.#place}.${this.#written(key)}`);
  }

  /** Returns the objects in a list. Items that are not objects are reported. */
  items(
    key: string,
    name: (item: JsonObject, at: number) => string = (_, at) => `${this.#place}.${this.#written(key)}[${at}]`,
  ): readonly Source[] {
    const value = this.#peek(key);
    if (!isArray(value)) return [];
    this.#note(key);
    return value.flatMap((item, at) => {
      if (isObject(item)) return [this.#part(item, name(item, at))];
      this.leave(`${key}[${at}]`, truncated(item));
      return [];
    });
  }

  /** Reports a part as not converted, with the reason. */
  leave(what: string, why = ""): void {
    this.#notes.add(`${this.#place}${what === "" ? "" : `.${what}`}${why === "" ? "" : ` (${why})`}`);
  }

  /** Returns the positions of all parts that were not converted. Nested parts are included. */
  rest(): readonly string[] {
    const own = Object.keys(this.#object)
      .filter((key) => !this.#read.has(key) && hasContent(this.#object[key]))
      .map((key) => `${this.#place}.${key}`);
    return [...own, ...this.#notes, ...this.#parts.flatMap((part) => part.rest())];
  }

  #part(value: JsonValue | undefined, place: string): Source {
    const part = new Source(value, place);
    this.#parts.push(part);
    return part;
  }

  /** Returns the value of a key in camel case or snake case, such as `evalCases` or `eval_cases`. */
  #peek(key: string): JsonValue | undefined {
    return this.#object[key] ?? this.#object[camel(key)] ?? undefined;
  }

  #written(key: string): string {
    return this.#object[key] === undefined && this.#object[camel(key)] !== undefined ? camel(key) : key;
  }

  #note(key: string): void {
    this.#read.add(key).add(camel(key));
  }
}

function camel(key: string): string {
  return key.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function hasContent(value: JsonValue | undefined): boolean {
  if (value === null || value === undefined || value === "") return false;
  return isArray(value) ? value.length > 0 : !isObject(value) || Object.keys(value).length > 0;
}

function truncated(value: JsonValue): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}
