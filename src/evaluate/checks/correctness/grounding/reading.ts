import type { Meaning } from "./meaning.ts";

export const kinds = ["id", "number", "date", "url", "email"] as const;
export type Kind = (typeof kinds)[number];

/** A value in a text. */
export interface TextValue {
  /** Null where the text holds digits that cannot be read. */
  readonly kind: Kind | null;
  readonly text: string;
  /** Possible readings; each is a list of meanings that apply together. */
  readonly readings: readonly (readonly Meaning[])[];
  /** The noun that a number word counts, such as `room`. It needs evidence only if the evidence counts the same noun. */
  readonly counted?: string;
  /** Further readings by which evidence may have it, that it does not tell itself. */
  readonly alsoKnownBy?: readonly (readonly Meaning[])[];
}

export type Found = TextValue & { readonly end: number };
export type Reader = (state: State, at: number) => Found | undefined;

export interface Surroundings {
  readonly text: string;
  readonly commaDecimals: boolean;
}

export interface State extends Surroundings {
  /** The last word before the place, without digits; empty when another value or the start is before it. */
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
