import type { DateOrder } from "./dates.ts";
import type { Meaning } from "./meaning.ts";
import type { DecimalMarks } from "./numerals.ts";

export const kinds = ["id", "number", "date", "url", "email"] as const;
export type Kind = (typeof kinds)[number];

/** A value in a text. */
export interface TextValue {
  /** Kind of the value; null if the digits cannot be parsed. */
  readonly kind: Kind | null;
  readonly text: string;
  /** Possible readings; each is a list of meanings that apply together. */
  readonly readings: readonly (readonly Meaning[])[];
  /** The noun that a number word counts, such as `room`. It needs evidence only if the evidence counts the same noun. */
  readonly counted?: string;
  /** Further readings under which evidence may contain the value, although the value does not state them. */
  readonly alsoKnownBy?: readonly (readonly Meaning[])[];
}

export type Found = TextValue & { readonly end: number };
export type Reader = (state: State, at: number) => Found | undefined;

export interface Surroundings extends DecimalMarks {
  readonly text: string;
}

export interface State extends Surroundings {
  /** Whether other dates of the text show that numeric dates begin with the day or with the month. */
  readonly dateOrder?: DateOrder | undefined;
  /** The last word before the position, without digits; empty if another value or the start of the text precedes it. */
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

export function match(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}
