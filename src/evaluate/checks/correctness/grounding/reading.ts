import type { DateOrder } from "./dates.ts";
import type { Meaning } from "./meaning.ts";
import type { DecimalMarks } from "./numerals.ts";

export const kinds = ["id", "number", "date", "url", "email"] as const;
export type Kind = (typeof kinds)[number];

/** A value in a text, with all its possible meanings. */
export interface TextValue {
  /** Kind of the value; null if no rule can parse the digits. */
  readonly kind: Kind | null;
  readonly text: string;
  /** Possible readings. Each reading is a list of meanings that apply together. */
  readonly readings: readonly (readonly Meaning[])[];
  /** Noun that a number word counts, such as `room` in `three rooms`. The number needs evidence only if the evidence also counts rooms. */
  readonly counted?: string;
  /** Further readings in which evidence can contain the value, although the value itself does not have these meanings. */
  readonly alsoKnownBy?: readonly (readonly Meaning[])[];
}

export type Found = TextValue & { readonly end: number };
export type Reader = (state: State, at: number) => Found | undefined;

export interface Surroundings extends DecimalMarks {
  readonly text: string;
}

export interface State extends Surroundings {
  /** Order of numeric dates; undefined if no date of the text shows the order. */
  readonly dateOrder?: DateOrder | undefined;
  /** Last word before the position: at the start of a text, the key of the field that contains the text; empty after another value. */
  readonly word: string;
}

export function found(
  kind: Kind | null,
  text: string,
  at: number,
  end: number,
  readings: readonly (readonly Meaning[])[],
): Found {
  return { kind, text: text.slice(at, end), readings, end };
}
